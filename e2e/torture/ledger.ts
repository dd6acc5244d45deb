import { TENANT_ID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import type { SliceKey } from '#e2e/scenario/source-object.ts';
import type { Span } from '#e2e/torture/span.ts';

/** A source as it bears on its copy: `calls` while it is there, not leaving, and carries its tenant. Undefined: not there. */
export type SourceState = { calls: boolean; addressType: string } | undefined;

/** Every source of a cell as it is at some moment. */
export type LedgerPage = ReadonlyMap<string, SourceState>;

type Entry = Span & { state: SourceState };

/**
 * What a cell's sources were like, and when: written by those who change them, and by nobody else.
 * While a change is under way, nothing is known of its source.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry[]>();

  /** Writes down what a source has become, by a change that took so long. */
  note(key: string, state: SourceState, span: Span): void {
    const entries = this.#entries.get(key) ?? [];
    this.#entries.set(key, entries);
    entries.push({ ...span, state });
  }

  /** What a source is like now. */
  now(key: string): SourceState {
    return this.#entries.get(key)?.at(-1)?.state;
  }

  /** Every source that there ever was. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  /** True when a source certainly called for a copy, all the time. */
  called(key: string, { fromMs, untilMs }: Span): boolean {
    const entries = this.#entries.get(key) ?? [];
    const before = entries.findLast((entry) => entry.fromMs <= untilMs);
    return before?.state?.calls === true && before.untilMs < fromMs;
  }

  /** True when it ever had an address type other than now: what is immutable is replaced by a deletion. */
  changedType(key: string): boolean {
    return new Set((this.#entries.get(key) ?? []).flatMap(({ state }) => state?.addressType ?? [])).size > 1;
  }

  /** Every source as it is now, for `restore`. */
  page(): LedgerPage {
    return new Map(this.keys().map((key) => [key, this.now(key)]));
  }

  /** Writes down that the cell was brought back to an earlier state: what came later never was. */
  restore(page: LedgerPage, span: Span): void {
    for (const key of this.keys()) this.note(key, page.get(key), span);
  }
}

/** The key of a source in its ledger. */
export function ledgerKey({ namespace, name }: SliceKey): string {
  return `${namespace}/${name}`;
}

/** A slice as its ledger has it. */
export function stateOf({ metadata, addressType }: EndpointSlice): SourceState {
  const calls = metadata.labels?.[TENANT_ID] !== undefined && metadata.deletionTimestamp === undefined;
  return { calls, addressType };
}
