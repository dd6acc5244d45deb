import assert from 'node:assert/strict';
import type { KubeObject } from '#api/objects.ts';
import { LastWrites } from '#policies/last-writes.ts';

const objectWith = (spec: unknown): KubeObject => ({ metadata: { name: 'dfw', uid: 'u' }, spec });
const specAt = (publishedAt: string, more: object = {}) => ({ topology: { a: '1' }, source: { generation: 1, publishedAt }, ...more });

describe('what the hub answered to a write', () => {
  const writes = new LastWrites();
  writes.note(objectWith(specAt('first')), objectWith(specAt('first', { defaulted: true })));

  it('is not asked for again while the hub holds that answer, whatever the moment', () => {
    assert.equal(writes.isAnswered(objectWith(specAt('second')), { uid: 'u', spec: specAt('first', { defaulted: true }) }), true);
  });

  it('stands for nothing once the hub holds anything else, something else is asked for, or it is another object', () => {
    const held = { uid: 'u', spec: specAt('first', { defaulted: true }) };
    assert.equal(writes.isAnswered(objectWith(specAt('second')), { ...held, spec: specAt('first') }), false);
    assert.equal(writes.isAnswered(objectWith({ ...specAt('second'), topology: {} }), held), false);
    assert.equal(writes.isAnswered(objectWith(specAt('second')), { ...held, uid: 'other' }), false);
    writes.forget('u');
    assert.equal(writes.isAnswered(objectWith(specAt('second')), held), false);
  });
});
