/** Writes one line to the terminal. */
export type Say = (line: string) => void;

/** Plain lines on standard output. */
export const say: Say = (line) => void process.stdout.write(`${line}\n`);

/** A number of milliseconds, right-aligned: `   134 ms`. */
export function milliseconds(ms: number): string {
  return `${String(Math.round(ms)).padStart(6)} ms`;
}
