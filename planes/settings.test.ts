import assert from 'node:assert/strict';
import { readToolSettings } from '#planes/settings.ts';

describe('where the planes look for programs', () => {
  it('the cache lies below XDG_CACHE_HOME, and below the home folder without it', () => {
    assert.equal(readToolSettings({ XDG_CACHE_HOME: '/cache' }, '/home/a').cacheFolder, '/cache/fedhub');
    assert.equal(readToolSettings({}, '/home/a').cacheFolder, '/home/a/.cache/fedhub');
  });

  it('a relative XDG_CACHE_HOME is ignored', () => {
    assert.equal(readToolSettings({ XDG_CACHE_HOME: 'cache' }, '/home/a').cacheFolder, '/home/a/.cache/fedhub');
  });

  it('an empty KUBEBUILDER_ASSETS counts as none', () => {
    assert.equal(readToolSettings({ KUBEBUILDER_ASSETS: '' }, '/home/a').assets, undefined);
    assert.equal(readToolSettings({ KUBEBUILDER_ASSETS: '/assets' }, '/home/a').assets, '/assets');
  });
});
