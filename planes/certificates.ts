import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  bitString,
  booleanTrue,
  der,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOfOne,
  time,
  utf8String,
} from '#planes/der.ts';

/** A certificate and its private key, both PEM. */
export type KeyPair = { certificate: string; key: string };

/** What a certificate is for. */
export type CertificateRequest = {
  /** For a client: the user's name as the API server sees it. */
  commonName: string;
  /** For a client: the user's groups. */
  organisations?: readonly string[];
  /** `server` certificates are good for 127.0.0.1 and localhost, and nothing else. */
  usage: 'server' | 'client';
  /** How long it is valid; a day when left out. */
  validMs?: number;
};

/** What signs the certificates of one plane. Each plane has its own, so that a mix-up of planes fails at once. */
export type Authority = { certificate: string; issue(request: CertificateRequest): KeyPair };

const DAY_MS = 24 * 3_600_000;
/** Backdating, for clocks of containers and virtual machines that are a little behind. */
const BACKDATE_MS = 3_600_000;
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const PURPOSES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };

/** Makes a new authority with EC P-256 keys (certificates by RFC 5280). Its key never leaves memory. */
export function createAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = distinguishedName(name, []);
  const certificate = (subject: Buffer, publicKey: KeyObject, more: { validMs: number; extensions: Buffer[] }) => {
    const signed = toBeSigned({ subject, issuer, publicKey, ...more });
    return pem(sequence(signed, ECDSA_WITH_SHA256, bitString(sign('sha256', signed, own.privateKey))));
  };
  return {
    certificate: certificate(issuer, own.publicKey, { validMs: 365 * DAY_MS, extensions: authorityExtensions(own.publicKey) }),
    issue(request) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const subject = distinguishedName(request.commonName, request.organisations ?? []);
      const extensions = leafExtensions(request.usage, own.publicKey);
      return {
        certificate: certificate(subject, publicKey, { validMs: request.validMs ?? DAY_MS, extensions }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** A pair of keys for signing service account tokens, both PEM. */
export function createSigningKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

type Content = { subject: Buffer; issuer: Buffer; publicKey: KeyObject; validMs: number; extensions: Buffer[] };

function toBeSigned({ subject, issuer, publicKey, validMs, extensions }: Content): Buffer {
  const now = Date.now();
  return sequence(
    explicit(0, integer(Uint8Array.of(2))), // version 3
    integer(randomBytes(16)),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(new Date(now - BACKDATE_MS)), time(new Date(now + validMs))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
}

function authorityExtensions(own: KeyObject): Buffer[] {
  return [
    extension('2.5.29.14', octetString(keyIdentifier(own))), // which key this is; strict verifiers insist on it and on its counterpart
    extension('2.5.29.19', sequence(booleanTrue()), { critical: true }), // basic constraints: an authority
    extension('2.5.29.15', bitString(Uint8Array.of(0b0000_0110), 1), { critical: true }), // signs certificates and revocations
  ];
}

function leafExtensions(usage: 'server' | 'client', authority: KeyObject): Buffer[] {
  const common = [
    extension('2.5.29.35', sequence(der(0x80, keyIdentifier(authority)))), // which key signed this
    extension('2.5.29.15', bitString(Uint8Array.of(0b1000_0000), 7), { critical: true }), // digital signature
    extension('2.5.29.37', sequence(objectIdentifier(PURPOSES[usage]))),
  ];
  const names = sequence(der(0x87, Uint8Array.of(127, 0, 0, 1)), der(0x82, Buffer.from('localhost')));
  return usage === 'server' ? [...common, extension('2.5.29.17', names)] : common;
}

function keyIdentifier(key: KeyObject): Buffer {
  return hash('sha1', key.export({ type: 'spki', format: 'der' }), 'buffer');
}

function extension(oid: string, value: Buffer, { critical = false } = {}): Buffer {
  return sequence(objectIdentifier(oid), ...(critical ? [booleanTrue()] : []), octetString(value));
}

function distinguishedName(commonName: string, organisations: readonly string[]): Buffer {
  const part = (oid: string, text: string) => setOfOne(sequence(objectIdentifier(oid), utf8String(text)));
  return sequence(...organisations.map((name) => part('2.5.4.10', name)), part('2.5.4.3', commonName));
}

function pem(encoded: Buffer): string {
  const lines = encoded.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
