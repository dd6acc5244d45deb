import type { CellConfig } from '#cli/config-schema.ts';

/** Who works for the cells once there is a hub to work on. */
export type CellsTaker = { setCells(cells: CellConfig[]): void };

/** The cells that the configuration names now. They may change while nobody can take them yet: nothing of that is lost. */
export class CellsInForce {
  #cells: CellConfig[];
  #taker: CellsTaker | undefined;

  constructor(cells: CellConfig[]) {
    this.#cells = cells;
  }

  /** Puts other cells in force. */
  change(cells: CellConfig[]): void {
    this.#cells = cells;
    this.#taker?.setCells(cells);
  }

  /** Gives the cells, and every change from now on, to the taker. */
  giveTo(taker: CellsTaker): void {
    this.#taker = taker;
    taker.setCells(this.#cells);
  }
}
