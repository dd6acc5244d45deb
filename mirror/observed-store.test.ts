import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ObservedStore } from '#mirror/observed-store.ts';

/** The store after one complete list. */
function listed(...keys: string[]): ObservedStore {
  const store = new ObservedStore();
  store.listStarted(false);
  for (const key of keys) store.present(key, `digest of ${key}`);
  store.listCompleted();
  return store;
}

describe('what is known of the sources', () => {
  it('is complete once a list has ended, not while the first one runs', () => {
    const store = new ObservedStore();
    assert.equal(store.complete, false);
    store.listStarted(false);
    store.present('ns/a', 'd');
    assert.equal(store.complete, false);
    store.listCompleted();
    assert.equal(store.complete, true);
  });

  it('stays complete while it is listed again, but not in a new epoch', () => {
    const store = listed('ns/a');
    store.listStarted(false);
    assert.equal(store.complete, true);
    store.listStarted(true);
    assert.equal(store.complete, false);
    store.listCompleted();
    assert.equal(store.complete, true);
  });

  it('lacks what a finished list did not show, and names it', () => {
    const store = listed('ns/a', 'ns/b');
    store.listStarted(false);
    store.present('ns/b', 'd');
    assert.deepEqual(store.listCompleted(), ['ns/a']);
    assert.equal(store.has('ns/a'), false);
    assert.equal(store.has('ns/b'), true);
  });

  it('keeps what was known while a list breaks and begins again', () => {
    const store = listed('ns/a', 'ns/b');
    store.listStarted(false);
    store.present('ns/b', 'd');
    store.listStarted(false);
    assert.equal(store.has('ns/a'), true);
    store.present('ns/a', 'd');
    assert.deepEqual(store.listCompleted(), ['ns/b']);
  });

  it('has strong evidence of an absence only where a deletion was seen, until that was acted on or undone', () => {
    const store = listed('ns/a', 'ns/b');
    store.deleted('ns/a');
    store.doubt('ns/b');
    assert.deepEqual([store.evidence('ns/a'), store.evidence('ns/b')], ['strong', 'weak']);
    store.settleAbsence('ns/a');
    assert.equal(store.evidence('ns/a'), 'weak');
    store.deleted('ns/b');
    store.present('ns/b', undefined);
    assert.equal(store.evidence('ns/b'), 'weak');
  });

  it('says that a look at a source was overtaken by an event about it, and about it alone', () => {
    const store = listed('ns/a', 'ns/b');
    const [seen, gone, quiet] = [store.glance('ns/a'), store.glance('ns/b'), store.glance('ns/c')];
    store.present('ns/a', 'd');
    store.deleted('ns/b');
    store.note('ns/c', 'd', quiet.round);
    assert.deepEqual([seen.overtaken, gone.overtaken, quiet.overtaken], [true, true, false]);
    const later = store.glance('ns/a');
    store.endGlance('ns/a');
    store.present('ns/a', 'd');
    assert.equal(later.overtaken, false);
  });

  it('does not take a source for seen that is judged anew: a list under way that does not show it names it', () => {
    const store = listed('ns/a', 'ns/b');
    store.listStarted(false);
    store.present('ns/b', 'd');
    for (const key of ['ns/a', 'ns/b']) store.forgetDigest(key);
    assert.deepEqual(store.listCompleted(), ['ns/a']);
    assert.equal(store.has('ns/a'), false);
  });

  it('forgets only what a source called for where it is judged anew, and the word of a look under way', () => {
    const store = listed('ns/a');
    store.deleted('ns/b');
    const looks = [store.glance('ns/a'), store.glance('ns/c')];
    for (const key of ['ns/a', 'ns/b']) store.forgetDigest(key);
    assert.deepEqual([store.has('ns/a'), store.digestOf('ns/a')], [true, undefined]);
    assert.deepEqual([store.has('ns/b'), store.evidence('ns/b'), store.size], [false, 'strong', 1]);
    assert.deepEqual(
      looks.map(({ overtaken }) => overtaken),
      [true, false],
    );
  });

  it('does not take a source for seen by a list that began after the look or the page that found it', () => {
    const store = listed('ns/a', 'ns/b', 'ns/c');
    const [page, look] = [store.round, store.glance('ns/a')];
    store.listStarted(false);
    store.note('ns/a', 'd', look.round);
    store.present('ns/b', 'd', page);
    store.note('ns/c', 'd', store.glance('ns/c').round);
    assert.deepEqual(store.listCompleted(), ['ns/a', 'ns/b']);
  });

  it('does not take a source for seen once more where what an event said before a list is looked at while that comes', () => {
    const store = listed('ns/a');
    store.listStarted(false);
    store.note('ns/a', 'newer', 0);
    assert.equal(store.digestOf('ns/a'), 'newer');
    assert.deepEqual(store.listCompleted(), ['ns/a']);
  });

  it('leaves what a list has shown as seen by it, whatever older page or look finds it too', () => {
    const store = listed('ns/a', 'ns/b', 'ns/c');
    const before = store.round;
    store.listStarted(false);
    for (const key of ['ns/a', 'ns/b', 'ns/c']) store.present(key, 'd');
    store.present('ns/a', 'older', before);
    store.note('ns/b', 'older', before);
    store.note('ns/c', 'older', 0);
    assert.deepEqual(store.listCompleted(), []);
  });

  it('names the keys of one namespace, and clusterwide ones beside them', () => {
    const store = listed('ns/a', 'other/b', 'clusterwide');
    assert.deepEqual([...store.keys('ns')], ['ns/a']);
    assert.deepEqual([...store.keys()].toSorted(), ['clusterwide', 'ns/a', 'other/b']);
    assert.deepEqual([...store.keys('nowhere')], []);
  });
});

type Model = {
  seen: Map<string, { digest: string | undefined; round: number }>;
  strong: Set<string>;
  round: number;
  list: number;
  complete: boolean;
};
class Command implements fc.Command<Model, ObservedStore> {
  readonly #word: string;
  readonly #run: (model: Model, store: ObservedStore) => void;

  constructor(word: string, run: (model: Model, store: ObservedStore) => void) {
    this.#word = word;
    this.#run = run;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, store: ObservedStore): void {
    this.#run(model, store);
    assert.equal(store.complete, model.complete);
    assert.equal(store.size, model.seen.size);
    assert.deepEqual([...store.keys()].toSorted(), [...model.seen.keys()].toSorted());
    for (const key of KEYS) {
      assert.equal(store.digestOf(key), model.seen.get(key)?.digest);
      assert.equal(store.wasSeenIn(model.round, key), model.seen.get(key)?.round === model.round);
      assert.equal(store.evidence(key), model.strong.has(key) ? 'strong' : 'weak');
    }
  }

  toString(): string {
    return this.#word;
  }
}

const KEYS = ['a', 'n/a', 'n/b', 'm/a'];
const keys = fc.constantFrom(...KEYS);
const commands = [
  fc.tuple(keys, fc.constantFrom('d1', 'd2'), fc.constantFrom('present', 'note'), fc.nat(2)).map(
    ([key, digest, how, behind]) =>
      new Command(`+${key} ${digest} ${how} ${behind} rounds ago`, (model, store) => {
        const round = Math.max(0, model.round - behind);
        if (how === 'present' && behind === 0) store.present(key, digest);
        else store[how](key, digest, round);
        model.seen.set(key, { digest, round: Math.max(round, model.seen.get(key)?.round ?? 0) });
        model.strong.delete(key);
      }),
  ),
  keys.map(
    (key) =>
      new Command(`-${key}`, (model, store) => {
        store.deleted(key);
        model.seen.delete(key);
        model.strong.add(key);
      }),
  ),
  keys.map(
    (key) =>
      new Command(`?${key}`, (model, store) => {
        store.doubt(key);
        model.seen.delete(key);
      }),
  ),
  keys.map(
    (key) =>
      new Command(`~${key}`, (model, store) => {
        store.forgetDigest(key);
        const seen = model.seen.get(key);
        if (seen) model.seen.set(key, { ...seen, digest: undefined });
      }),
  ),
  fc.boolean().map(
    (newEpoch) =>
      new Command(`list ${newEpoch}`, (model, store) => {
        store.listStarted(newEpoch);
        model.round += 1;
        model.list = model.round;
        if (newEpoch) model.complete = false;
      }),
  ),
  fc.constant(
    new Command('sweep', (model, store) => {
      model.round += 1;
      assert.equal(store.roundStarted(), model.round);
    }),
  ),
  fc.constant(
    new Command('complete', (model, store) => {
      const missing = [...model.seen].filter(([, { round }]) => round < model.list).map(([key]) => key);
      assert.deepEqual(store.listCompleted().toSorted(), missing.toSorted());
      for (const key of missing) model.seen.delete(key);
      model.complete = true;
    }),
  ),
];

describe('the store of what is known of the sources', () => {
  it('agrees with a plain map after every sequence of lists and events', () => {
    fc.assert(
      fc.property(fc.commands(commands, { maxCommands: 60 }), (script) => {
        const model: Model = { seen: new Map(), strong: new Set(), round: 0, list: 0, complete: false };
        fc.modelRun(() => ({ model, real: new ObservedStore() }), script);
      }),
      { numRuns: 300 },
    );
  });
});
