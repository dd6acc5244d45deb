/** How many at a time: the admin has few connections, and gives up on what waits too long for one. */
const BATCH = 100;

/** Does something with every one of many, a batch after the other. */
export async function inBatches<T>(all: readonly T[], task: (each: T, index: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += BATCH) await Promise.all(all.slice(at, at + BATCH).map((each, index) => task(each, at + index)));
}
