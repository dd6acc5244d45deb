import assert from 'node:assert/strict';
import { inBatches } from '#e2e/scenario/in-batches.ts';
import type { CellSide } from '#e2e/scenario/cell-side.ts';
import type { SourceOptions } from '#e2e/scenario/source-object.ts';
import type { Source } from '#e2e/scenario/source.ts';
import type { Scenario } from '#e2e/scenario.ts';

/** Which sources: `count` of them in one namespace of one cell. */
export type Many = { cell: CellSide; namespace: string; count: number };

/** Between two lists of up to a thousand slices: looking more often would be most of the hub's work. */
const LOOK_MS = 500;
/** Withdrawals are four requests each; on a machine that did much else, 1,200 copies were seen to take a minute and a half. */
const DEADLINE_MS = { least: 60_000, each: 120 };

/** Makes sources that are not there yet. */
export async function createAll(sources: readonly Source[], optionsOf: (index: number) => SourceOptions = () => ({})): Promise<void> {
  await inBatches(sources, (source, index) => source.create(optionsOf(index)));
}

/** Makes many sources, and waits until the hub holds the copies of all of them. */
export async function publishMany(scenario: Scenario, { cell, namespace, count }: Many): Promise<Source[]> {
  const sources = Array.from({ length: count }, (_, index) => scenario.source(cell, namespace, `pod-${index}`));
  await createAll(sources);
  await expectCopiesOf(scenario, namespace, sources);
  return sources;
}

/** Waits until a namespace of the hub holds the copies of these sources, and no other slice. */
export async function expectCopiesOf({ hub, service }: Scenario, namespace: string, sources: readonly Source[]): Promise<void> {
  const wanted = sources.map(({ copyKey }) => copyKey.name).sort();
  const description = `the hub holds the copies of ${wanted.length} sources`;
  const look = async () => {
    const found = (await hub.slices.list(namespace)).map(({ metadata }) => metadata.name).sort();
    assert.equal(found.length, wanted.length);
    assert.deepEqual(found, wanted);
    return true;
  };
  const thousands = Math.max(1, wanted.length / 1000);
  const deadlineMs = DEADLINE_MS.least + DEADLINE_MS.each * wanted.length;
  await service.eventually(description, look, { intervalMs: LOOK_MS * thousands, deadlineMs });
}
