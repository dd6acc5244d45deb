import type { KubeObject } from '#api/objects.ts';
import { digest } from '#mirror/digest.ts';
import { contentOf } from '#policies/serving-location.ts';

type Answered = { asked: string; answered: string };

/**
 * What was last asked for of each object and what the hub made of it. A hub that adds a default or prunes a field never holds
 * what is asked for, and would be written to for ever.
 */
export class LastWrites {
  /** By uid: an object made anew has nothing of an earlier one's. */
  readonly #writes = new Map<string, Answered>();

  /** Notes a write and its answer. */
  note(asked: KubeObject, answer: KubeObject): void {
    const { uid } = answer.metadata;
    if (uid !== undefined) this.#writes.set(uid, { asked: digestOf(asked['spec']), answered: digestOf(answer['spec']) });
  }

  /** True when this was asked for before, and what is held is what the hub made of it then. */
  isAnswered(asked: KubeObject, held: { uid: string; spec: unknown }): boolean {
    const last = this.#writes.get(held.uid);
    return last !== undefined && last.asked === digestOf(asked['spec']) && last.answered === digestOf(held.spec);
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#writes.delete(uid);
  }
}

/** Of a spec without the moment of publication, which is another one at every try. */
function digestOf(spec: unknown): string {
  return digest(contentOf(spec));
}
