import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { createAuthority } from '#planes/certificates.ts';
import { integer, objectIdentifier } from '#planes/der.ts';

describe('certificates of a plane', () => {
  const authority = createAuthority('hub authority');
  const root = new X509Certificate(authority.certificate);

  it("are signed by the plane's own authority and by no other", () => {
    const leaf = new X509Certificate(authority.issue({ commonName: 'hub', usage: 'server' }).certificate);
    assert.ok(leaf.checkIssued(root) && leaf.verify(root.publicKey));
    assert.ok(!leaf.verify(new X509Certificate(createAuthority('hub authority').certificate).publicKey));
    assert.ok(root.ca && !leaf.ca);
  });

  it('of a server are good for this machine only', () => {
    const leaf = new X509Certificate(authority.issue({ commonName: 'hub', usage: 'server' }).certificate);
    assert.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(leaf.checkHost('localhost'), 'localhost');
    assert.equal(leaf.checkHost('example.org'), undefined);
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  it('of a client name the user and its groups', () => {
    const leaf = new X509Certificate(authority.issue({ commonName: 'jo é', organisations: ['a', 'b'], usage: 'client' }).certificate);
    assert.equal(leaf.subject, 'O=a\nO=b\nCN=jo é');
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  });

  it('match their keys and end when asked to', () => {
    const pair = authority.issue({ commonName: 'hub', usage: 'client', validMs: 60_000 });
    const leaf = new X509Certificate(pair.certificate);
    assert.ok(leaf.checkPrivateKey(createPrivateKey(pair.key)));
    assert.ok(leaf.validToDate.getTime() - Date.now() <= 60_000);
  });
});

describe('DER', () => {
  it('an integer never reads as negative and has no needless zero', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (bytes) => {
        const [tag, length, ...content] = integer(bytes);
        assert.deepEqual([tag, length], [2, content.length]);
        assert.equal(BigInt(`0x${Buffer.from(content).toString('hex')}`), BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
        assert.ok((content[0] ?? 0) < 0x80);
        assert.ok(content.length === 1 || content[0] !== 0 || (content[1] ?? 0) >= 0x80);
      }),
    );
  });

  it('an object identifier has its parts in base 128', () => {
    assert.equal(objectIdentifier('1.2.840.10045.4.3.2').toString('hex'), '06082a8648ce3d040302');
  });
});
