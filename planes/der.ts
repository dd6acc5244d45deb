/**
 * DER, as far as certificates need it (ITU-T X.690): each function returns one encoded value.
 * Written here because the certificate libraries at hand need a global patched on import.
 */

/** A value of any type, by its tag byte. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), encodeLength(body.length), body]);
}

/** An ordered group of values. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return der(0x30, ...members);
}

/** An unordered group; with one member order is no question, and more are never needed here. */
export function setOfOne(member: Uint8Array): Buffer {
  return der(0x31, member);
}

/** A value wrapped in a context tag: `[number] EXPLICIT`. */
export function explicit(number: number, member: Uint8Array): Buffer {
  return der(0xa0 + number, member);
}

/** A non-negative integer, most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  // A leading bit would read as a minus sign.
  return der(0x02, (short[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array(), short);
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A string of bits that fill whole bytes, but for `unused` ones at the end. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Uint8Array.of(unused), bytes);
}

/** A string of bytes. */
export function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes);
}

/** Text. */
export function utf8String(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** True; DER leaves out what is false. */
export function booleanTrue(): Buffer {
  return der(0x01, Uint8Array.of(0xff));
}

/** A moment, to the second: two-digit years up to 2049 and four-digit ones after, as RFC 5280 section 4.1.2.5 asks. */
export function time(moment: Date): Buffer {
  const digits = `${moment.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`;
  return moment.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from([0x80 + bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 0x80);
  return bytes;
}
