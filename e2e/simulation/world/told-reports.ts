import { HOLD_FROZEN } from '#api/keys.ts';
import type { CellReport } from '#api/objects.ts';
import { append } from '#e2e/simulation/world/looks.ts';
import type { Heard } from '#e2e/simulation/network/overhear.ts';

/** What one run of the service must know of operators' words: what the hub has shown it of the cells' reports. */
export class ToldReports {
  readonly #held = new Set<string>();
  readonly #bound = new Map<string, { ms: number; uid: string | undefined }[]>();
  /** Shown in the first list, which counts for nothing until it is complete. */
  readonly #pending: (() => void)[] = [];
  readonly #nowMs: () => number;
  #completeAtMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** When it was first shown all that is recorded. */
  get completeAtMs(): number | undefined {
    return this.#completeAtMs;
  }

  readonly hear = (heard: Heard): void => {
    if (heard.kind === 'listed') {
      for (const take of this.#pending.splice(0)) take();
      this.#completeAtMs ??= this.#nowMs();
    }
    if (heard.kind !== 'shown') return;
    const { metadata, spec }: CellReport = heard.object;
    const { name, annotations } = metadata;
    const take = () => {
      append(this.#bound, name, { ms: this.#nowMs(), uid: spec?.clusterUID });
      if (annotations?.[HOLD_FROZEN] === 'true') this.#held.add(name);
      else this.#held.delete(name);
    };
    if (this.#completeAtMs !== undefined) take();
    else this.#pending.push(take);
  };

  /** The cluster that the cell is bound to, as far as the service was told, now or by then. */
  boundUid(cell: string, byMs = Infinity): string | undefined {
    return this.#bound.get(cell)?.findLast(({ ms }) => ms <= byMs)?.uid;
  }

  /** True while an operator keeps what is frozen of that cell from being released by time, as far as the service was told. */
  holds(cell: string): boolean {
    return this.#held.has(cell);
  }
}
