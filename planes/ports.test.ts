import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { createPortRange } from '#planes/ports.ts';

describe('free ports', () => {
  it('two runs never get the same port, though nothing listens yet', async () => {
    const ranges = [createPortRange(), createPortRange()];
    const ports: number[] = [];
    for (const range of ranges) for (let count = 0; count < 20; count++) ports.push(await range.next());
    assert.equal(new Set(ports).size, ports.length);
    await Promise.all(ranges.map((range) => range.release()));
  });

  it('go on when a block is used up', async () => {
    const range = createPortRange();
    const ports = new Set<number>();
    for (let count = 0; count < 150; count++) ports.add(await range.next());
    assert.equal(ports.size, 150);
    await range.release();
  });

  it('a port that somebody else listens on is passed over', async () => {
    const range = createPortRange();
    const taken = createServer().listen((await range.next()) + 1, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert.ok(typeof address === 'object' && address !== null);
    assert.notEqual(await range.next(), address.port);
    await range.release();
    taken.close();
  });
});
