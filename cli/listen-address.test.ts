import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatListenAddress, parseListenAddress } from '#cli/listen-address.ts';

describe('a listen address', () => {
  it('is a host and a port', () => {
    assert.deepEqual(parseListenAddress('127.0.0.1:8080'), { host: '127.0.0.1', port: 8080 });
    assert.deepEqual(parseListenAddress('localhost:0'), { host: 'localhost', port: 0 });
    assert.deepEqual(parseListenAddress('[::1]:8080'), { host: '::1', port: 8080 });
  });

  it('means every address of the machine when it names no host', () => {
    assert.deepEqual(parseListenAddress(':8080'), { host: '::', port: 8080 });
  });

  it('is refused without a port, past the last port, and with a bare IPv6 address', () => {
    for (const text of ['', '8080', 'localhost', 'localhost:', ':65536', '::1:8080', 'a b:1', 'http://a:1', ':8080\n']) {
      assert.equal(parseListenAddress(text), undefined, JSON.stringify(text));
    }
  });

  it('reads back as it was written', () => {
    const address = fc.record({ host: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()), port: fc.nat(65_535) }, { noNullPrototype: true });
    fc.assert(
      fc.property(address, (one) => {
        assert.deepEqual(parseListenAddress(formatListenAddress(one)), one);
      }),
    );
  });
});
