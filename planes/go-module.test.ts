import assert from 'node:assert/strict';
import { cpSync, appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGoModule, requiredVersion } from '#planes/go-module.ts';

const GO_MOD = `module example.org/tools

go 1.26.0

tool example.org/a/cmd/x

replace (
	example.org/a v1.0.0 => example.org/fork v1.0.1
	example.org/c => example.org/c v3.0.0
)

require example.org/b v2.0.0
require (
	example.org/a v1.2.3 // indirect
	example.org/a/sub v9.9.9
)
`;

describe('the pinned version of a program', () => {
  it('is the one that go.mod requires, with or without a comment', () => {
    assert.equal(requiredVersion(GO_MOD, 'example.org/a'), 'v1.2.3');
    assert.equal(requiredVersion(GO_MOD, 'example.org/a/sub'), 'v9.9.9');
    assert.equal(requiredVersion(GO_MOD, 'example.org/b'), 'v2.0.0');
  });

  it('is not taken from a replacement or a tool line', () => {
    assert.equal(requiredVersion(GO_MOD, 'example.org/c'), undefined);
    assert.equal(requiredVersion(GO_MOD, 'example.org/a/cmd/x'), undefined);
  });

  for (const family of ['etcd', 'kubernetes', 'karmada'] as const) {
    it(`can be read for ${family}, and is part of the folder's name in the cache`, () => {
      const { version, key, goVersion } = readGoModule(family);
      assert.match(version, /^v\d+\.\d+\.\d+$/);
      assert.match(goVersion, /^1\.\d+/);
      assert.ok(key.startsWith(`${family}-${version}-${process.platform}-${process.arch}-`), key);
    });
  }

  it('with another dependency the same version is another folder in the cache', () => {
    const modules = mkdtempSync(join(tmpdir(), 'modules-'));
    try {
      cpSync(join(import.meta.dirname, 'modules/etcd'), join(modules, 'etcd'), { recursive: true });
      const before = readGoModule('etcd', modules);
      appendFileSync(join(modules, 'etcd/go.sum'), 'example.org/d v1.0.0 h1:x=\n');
      assert.notEqual(readGoModule('etcd', modules).key, before.key);
    } finally {
      rmSync(modules, { recursive: true });
    }
  });
});
