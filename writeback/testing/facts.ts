import type { CellFacts } from '#writeback/cell-report.ts';

/** The wall clock of the tests' reports, in milliseconds. */
export const NOW = Date.UTC(2030, 0, 1, 12, 0, 0);

/** A cell that is well, or as `more` says. */
export function factsWith(more: Partial<CellFacts> = {}): CellFacts {
  return {
    observing: true,
    failure: undefined,
    paused: false,
    identity: { kind: 'bound', uid: 'cell-uid' },
    observedUid: 'cell-uid',
    sharedWith: undefined,
    boundUids: [],
    location: { kind: 'resolved', name: 'ams', from: 'configured' },
    reading: { queueDepth: 1, sources: 3, copies: 2, held: { NameTaken: 1, EmptySource: 2 }, silenceSeconds: 4 },
    held: [
      { state: 'refused', reason: 'NameTaken', count: 1 },
      { state: 'kept', reason: 'EmptySource', count: 2 },
    ],
    withdrawn: 5,
    completeAtMs: NOW - 60_000,
    newestVersion: '41',
    frozen: undefined,
    frozenClockMs: 1_000_000,
    ...more,
  };
}

/** A cell of which nothing is known yet, as just after a start. */
export const justStarted: CellFacts = factsWith({
  observing: false,
  identity: { kind: 'unbound', reason: 'IdentityUnread' },
  observedUid: undefined,
  location: { kind: 'unresolved', reason: 'LocationUnread' },
  reading: undefined,
  held: [],
  withdrawn: 0,
  completeAtMs: undefined,
  newestVersion: undefined,
});

/** A cell whose withdrawals of these sources are frozen, for a minute by now and confirmed twice. */
export function frozenFacts(names: readonly string[]): CellFacts {
  const missing = new Map(names.map((name, index) => [name, { sinceMs: 940_000 + index, confirmed: 2 }]));
  return factsWith({ frozen: { missing, released: 0, occasion: 'first' } });
}

/** A cell behind whose name another cluster answers. */
export const fenced: CellFacts = factsWith({ identity: { kind: 'unbound', reason: 'IdentityFenced' }, observedUid: 'other-uid' });
