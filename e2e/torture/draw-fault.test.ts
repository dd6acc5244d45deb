import assert from 'node:assert/strict';
import { Random } from '#e2e/simulation/random.ts';
import { drawFault, FAULT_KINDS } from '#e2e/torture/draw-fault.ts';

const drawn = (seed: number, times: number) => {
  const random = new Random(seed);
  return Array.from({ length: times }, () => drawFault(random, random.pick(['hub', 'cell'])));
};

describe('drawing a fault', () => {
  it('comes to every kind in the end', () => {
    const kinds = new Set(drawn(1, 2_000).map(({ kind }) => kind));
    assert.deepEqual(
      FAULT_KINDS.filter((kind) => !kinds.has(kind)),
      [],
    );
  });

  it('is determined by the seed', () => {
    const shown = (seed: number) => drawn(seed, 50).map((fault) => ({ ...fault, strikes: undefined }));
    assert.deepEqual(shown(7), shown(7));
    assert.notDeepEqual(shown(7), shown(8));
  });

  it('refuses no write of a cell, which is asked for none', () => {
    const random = new Random(4);
    const kinds = Array.from({ length: 2_000 }, () => drawFault(random, 'cell').kind);
    assert.equal(kinds.includes('write-refused'), false);
  });

  it('falsifies nothing but lists', () => {
    const lies = new Set(['empty-list', 'empty-first-page', 'lost-continue', 'older-list']);
    const falsified = drawn(3, 2_000).filter(({ of, kind }) => of === 'requests' && lies.has(kind));
    assert.deepEqual(new Set(falsified.map(({ kind }) => kind)), lies);
    for (const fault of falsified) assert.equal(fault.of === 'requests' && fault.match.path?.test('/endpointslices'), true);
    for (const fault of falsified) assert.equal(fault.of === 'requests' && fault.match.watch, false);
  });
});
