import { milliseconds, type Say } from '#e2e/demo/terminal.ts';
import { eventually } from '#e2e/eventually.ts';

/** Longest wait for one sight; a busy machine must not end the story. */
const DEADLINE_MS = 60_000;

/** Something to be seen on one plane: where, what, and how to look. */
export type Sight = { where: string; what: string; look: () => Promise<unknown> };

/**
 * Plays one step of the story: does something, then waits for each sight and says what was seen where, and how many
 * milliseconds after the doing. The sights are looked for at the same time. What must `never` be seen is looked for in the end.
 * @throws {Error} naming the sight that did not come, or should not have come.
 */
export async function step(
  say: Say,
  about: { title: string; act: () => Promise<unknown>; sights: Sight[]; never?: Sight[] },
): Promise<void> {
  say(`\n● ${about.title}`);
  const began = performance.now();
  await about.act();
  await Promise.all(
    about.sights.map(async ({ where, what, look }) => {
      await eventually(`${where}: ${what}`, look, { deadlineMs: DEADLINE_MS, intervalMs: 10 });
      say(`  ${milliseconds(performance.now() - began)}  ${where.padEnd(6)} ${what}`);
    }),
  );
  for (const { where, what, look } of about.never ?? []) {
    if (await look()) throw new Error(`${where} ${what}, and must not`);
    say(`                never ${where} ${what}`);
  }
}
