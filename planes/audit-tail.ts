import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parseAuditLines } from '#planes/audit-log.ts';
import type { AuditEvent } from '#planes/audit-log.ts';

/** Reads what an audit log has got since it was last asked, and not all of it again: it grows for as long as a run lasts. */
export class AuditTail {
  readonly #file: string;
  #offset = 0;

  constructor(file: string | undefined) {
    if (file === undefined) throw new Error('The plane keeps no audit log');
    this.#file = file;
  }

  /** The events since the last call. A line that is not whole yet is left for the next one; a log that was begun anew is read from its start. */
  read(): AuditEvent[] {
    const file = openSync(this.#file, 'r');
    try {
      const { size } = fstatSync(file);
      if (size < this.#offset) this.#offset = 0;
      const piece = Buffer.alloc(size - this.#offset);
      readSync(file, piece, 0, piece.length, this.#offset);
      const end = piece.lastIndexOf('\n') + 1;
      this.#offset += end;
      return parseAuditLines(piece.toString('utf8', 0, end));
    } finally {
      closeSync(file);
    }
  }
}
