import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { ApiError } from '#kube/errors.ts';
import { ReducedStore } from '#mirror/reduced-store.ts';

const LIST = { epoch: 1, wentBack: false };
const named = (name: string, color = 'red'): KubeObject => ({ metadata: { name, labels: { color } } });

/** A store that keeps of each object its color, and what it told. */
function scene() {
  const told: string[] = [];
  const store = new ReducedStore({
    reduce: ({ metadata }) => metadata.labels?.['color'],
    changed: (key) => void told.push(key),
    settled: () => void told.push('settled'),
  });
  const { handler } = store;
  const list = (...objects: KubeObject[]) => {
    handler.listStarted(LIST);
    for (const object of objects) handler.present(object);
    handler.listCompleted();
  };
  return { store, handler, list, told };
}

describe('the objects that decide about others', () => {
  it('are unknown until a full list has ended, and then there or absent', () => {
    const { store, handler, list } = scene();
    assert.deepEqual(store.get('a'), { kind: 'unknown', why: 'NotListed' });
    handler.failed?.(new ApiError('Forbidden', 'x'));
    assert.deepEqual(store.get('a'), { kind: 'unknown', why: 'Forbidden' });
    list(named('a'));
    assert.deepEqual(store.get('a'), { kind: 'present', object: 'red' });
    assert.deepEqual(store.get('b'), { kind: 'absent', evidence: 'weak' });
  });

  it('are known as soon as the first list shows them', () => {
    const { store, handler } = scene();
    handler.listStarted(LIST);
    handler.present(named('a'));
    assert.equal(store.get('a').kind, 'present');
    assert.equal(store.get('b').kind, 'unknown');
  });

  it('are told of once for each when the first list has ended, and later only where what is kept of them changed', () => {
    const { handler, list, told } = scene();
    list(named('a'), named('b'));
    assert.deepEqual(told.splice(0), ['a', 'b', 'settled']);
    handler.present(named('a'));
    assert.deepEqual(told, []);
    handler.present(named('a', 'blue'));
    handler.present(named('c'));
    handler.deleted(named('b'));
    handler.deleted(named('b'));
    assert.deepEqual(told, ['a', 'c', 'b']);
  });

  it('are gone that a later list does not show, and not before that list has ended', () => {
    const { store, handler, list, told } = scene();
    list(named('a'), named('b'));
    told.length = 0;
    handler.listStarted(LIST);
    handler.present(named('b'));
    assert.equal(store.get('a').kind, 'present');
    handler.listCompleted();
    assert.equal(store.get('a').kind, 'absent');
    assert.deepEqual(told, ['a']);
  });

  it('stay known while later lists fail', () => {
    const { store, handler, list } = scene();
    list(named('a'));
    handler.listStarted(LIST);
    handler.failed?.(new ApiError('ServerError', 'x'));
    assert.equal(store.get('a').kind, 'present');
    assert.equal(store.complete, true);
  });

  it('are what a live read found, where the watch has not shown it', async () => {
    const { store, list, told } = scene();
    list(named('a'));
    told.length = 0;
    assert.deepEqual(await store.read('b', async () => named('b')), named('b'));
    assert.equal(store.get('b').kind, 'present');
    assert.equal(await store.read('a', async () => undefined), undefined);
    assert.equal(store.get('a').kind, 'absent');
    assert.deepEqual(told, ['b', 'a']);
  });

  it('are what the watch has shown while a live read was under way: its answer may be an older one', async () => {
    const { store, handler, list } = scene();
    list(named('a'), named('b'), named('c'));
    handler.deleted(named('c'));
    const read = async (name: string, seen: () => void, found: KubeObject | undefined) => {
      await store.read(name, async () => {
        seen();
        return found;
      });
      const now = store.get(name);
      return now.kind === 'present' ? now.object : now.kind;
    };
    assert.equal(await read('a', () => handler.present(named('a', 'blue')), named('a', 'red')), 'blue');
    assert.equal(await read('b', () => handler.deleted(named('b')), named('b')), 'absent');
    assert.equal(await read('c', () => handler.present(named('c')), undefined), 'red');
    assert.equal(await read('d', () => handler.present(named('a')), named('d')), 'red', 'another object says nothing of it');
    assert.equal(await read('a', () => {}, named('a', 'green')), 'green');
  });

  it('are there where a live read found them while a list ended that lacked them', async () => {
    const { store, handler, list } = scene();
    list(named('a'));
    handler.listStarted(LIST);
    await store.read('a', async () => {
      handler.listCompleted();
      return named('a');
    });
    assert.equal(store.get('a').kind, 'present');
  });

  it('stay as they are where a live read fails', async () => {
    const { store, list } = scene();
    list(named('a'));
    await assert.rejects(
      store.read('a', async () => Promise.reject(new ApiError('ServerError', 'x'))),
      { code: 'ServerError' },
    );
    assert.equal(store.get('a').kind, 'present');
  });

  it('are of a kind that is not served only where it never was', () => {
    const { store, handler, list, told } = scene();
    assert.equal(store.unserved, false);
    handler.failed?.(new ApiError('NotServed', 'x'));
    assert.equal(store.unserved, true);
    assert.deepEqual(told, ['settled']);
    list(named('a'));
    handler.failed?.(new ApiError('NotServed', 'x'));
    assert.equal(store.unserved, false);
    assert.equal(store.get('a').kind, 'present');
  });
});
