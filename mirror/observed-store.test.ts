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
    store.note('ns/c', 'd');
    assert.deepEqual([seen.overtaken, gone.overtaken, quiet.overtaken], [true, true, false]);
    const later = store.glance('ns/a');
    store.endGlance('ns/a');
    store.present('ns/a', 'd');
    assert.equal(later.overtaken, false);
  });

  it('names the keys of one namespace, and clusterwide ones beside them', () => {
    const store = listed('ns/a', 'other/b', 'clusterwide');
    assert.deepEqual([...store.keys('ns')], ['ns/a']);
    assert.deepEqual([...store.keys()].toSorted(), ['clusterwide', 'ns/a', 'other/b']);
    assert.deepEqual([...store.keys('nowhere')], []);
  });
});

type Model = { seen: Map<string, { digest: string; list: number }>; strong: Set<string>; list: number; complete: boolean };
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
  fc.tuple(keys, fc.constantFrom('d1', 'd2')).map(
    ([key, digest]) =>
      new Command(`+${key} ${digest}`, (model, store) => {
        store.present(key, digest);
        model.seen.set(key, { digest, list: model.list });
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
  fc.boolean().map(
    (newEpoch) =>
      new Command(`list ${newEpoch}`, (model, store) => {
        store.listStarted(newEpoch);
        model.list += 1;
        if (newEpoch) model.complete = false;
      }),
  ),
  fc.constant(
    new Command('complete', (model, store) => {
      const missing = [...model.seen].filter(([, { list }]) => list !== model.list).map(([key]) => key);
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
        const model: Model = { seen: new Map(), strong: new Set(), list: 0, complete: false };
        fc.modelRun(() => ({ model, real: new ObservedStore() }), script);
      }),
      { numRuns: 300 },
    );
  });
});
