import assert from 'node:assert/strict';
import { hasCondition, parseManifests } from '#planes/manifests.ts';

describe('a manifest file', () => {
  it('may hold several objects, and empty documents between them', () => {
    const text =
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n';
    assert.deepEqual(
      parseManifests(text).map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
  });

  it('with something that is no object is refused', () => {
    assert.throws(() => parseManifests('kind: Namespace\nmetadata: {name: a}\n'), /apiVersion, kind or metadata.name/);
    assert.throws(() => parseManifests('text'), /apiVersion, kind or metadata.name/);
  });
});

describe('a condition', () => {
  it('holds only when its status is True', () => {
    const object = {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Other', status: 'Unknown' },
        ],
      },
    };
    assert.deepEqual(
      ['Ready', 'Other', 'Missing'].map((type) => hasCondition(object, type)),
      [true, false, false],
    );
    assert.ok(!hasCondition({}, 'Ready'));
  });
});
