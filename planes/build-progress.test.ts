import assert from 'node:assert/strict';
import { estimateLeftMs, formatLength } from '#planes/build-progress.ts';
import { PROGRAMS } from '#planes/programs.ts';

const coldMs = (program: keyof typeof PROGRAMS) => PROGRAMS[program].coldBuildSeconds * 1000;

describe('how long the builds still take', () => {
  it('is the sum of the estimates while nothing has been built', () => {
    const leftMs = estimateLeftMs({ left: ['etcd', 'kube-apiserver'], built: [] });
    assert.equal(leftMs, coldMs('etcd') + coldMs('kube-apiserver'));
  });

  it('follows the pace of what has been built', () => {
    const built = [{ program: 'etcd' as const, ms: coldMs('etcd') / 10 }];
    assert.equal(Math.round(estimateLeftMs({ left: ['kube-apiserver'], built })), coldMs('kube-apiserver') / 10);
  });

  it('shrinks while a program is being built, and never below what the later ones take', () => {
    const left = ['etcd', 'kubectl'] as const;
    assert.equal(estimateLeftMs({ left, built: [], spentMs: 1000 }), coldMs('etcd') - 1000 + coldMs('kubectl'));
    assert.equal(estimateLeftMs({ left, built: [], spentMs: 10 * coldMs('etcd') }), coldMs('kubectl'));
  });

  it('is nothing when nothing is left', () => {
    assert.equal(estimateLeftMs({ left: [], built: [{ program: 'etcd', ms: 1 }] }), 0);
  });

  it('reads as seconds while it is short and as minutes when it is not', () => {
    assert.equal(formatLength(35_400), '36 s');
    assert.equal(formatLength(241_000), '4 min');
  });
});
