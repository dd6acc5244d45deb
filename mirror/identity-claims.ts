/**
 * Which name each cluster is known under. One cluster behind two names would be published twice, and each name would
 * withdraw what the other publishes (contract section 5, "Identity and epochs").
 */
export class IdentityClaims {
  readonly #names = new Map<string, string>();

  /** Claims the cluster with this UID for a name. @returns the name that has it: this one, or the one that was first. */
  claim(uid: string, name: string): string {
    const owner = this.#names.get(uid) ?? name;
    this.#names.set(uid, owner);
    return owner;
  }

  /** Gives up whatever the name has claimed. */
  release(name: string): void {
    for (const [uid, owner] of this.#names) if (owner === name) this.#names.delete(uid);
  }
}
