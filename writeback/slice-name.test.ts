import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sliceCopyName } from '#writeback/slice-name.ts';
import { locationNames, sourceNames } from '#writeback/testing/slices.ts';

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LENGTHS = [1, 63, 64, 120, 200, 229, 230, 231, 250, 253];

describe('the name of a copy', () => {
  it('says the location and the source as they are while it fits', () => {
    assert.equal(sliceCopyName('ams-1', 'pod-a'), 'vpc-ams-1.pod-a');
    assert.equal(sliceCopyName('a', 'x'.repeat(232)), `vpc-a.${'x'.repeat(232)}`);
  });

  it('is cut and ends in 16 hex digits of location and source once it does not fit', () => {
    const name = sliceCopyName('a', 'x'.repeat(233));
    // printf 'a/%s' "$(printf 'x%.0s' {1..233})" | sha256sum | cut -c1-16
    assert.equal(name, `vpc-a.${'x'.repeat(215)}-adc2cd4d986834e1`);
  });

  for (const length of LENGTHS) {
    it(`is valid, short enough for Karmada and not its neighbour's, for a source name of ${length} characters`, () => {
      for (const location of ['a', 'ams-1', 'l'.repeat(63)]) {
        const names = ['x', 'y'].map((last) => sliceCopyName(location, 'p'.repeat(length - 1) + last));
        for (const name of names) {
          assert.match(name, DNS_SUBDOMAIN);
          assert.ok(name.length <= 238, `${name.length} characters`);
        }
        assert.notEqual(names[0], names[1]);
      }
    });
  }

  it('is valid and at most 238 characters for every location and source', () => {
    fc.assert(
      fc.property(locationNames, sourceNames, (location, source) => {
        const name = sliceCopyName(location, source);
        assert.match(name, DNS_SUBDOMAIN);
        assert.ok(name.length <= 238);
      }),
    );
  });

  it('ends no cut in a separator', () => {
    for (const separators of ['.', '-', '--', '-----']) {
      const name = sliceCopyName('a', `${'x'.repeat(215 - separators.length)}${separators}${'y'.repeat(38)}`);
      assert.match(name, /x-[0-9a-f]{16}$/);
    }
  });

  it('is never shared by two sources', () => {
    const sources = fc.tuple(locationNames, sourceNames);
    fc.assert(
      fc.property(sources, sources, ([location, source], [otherLocation, other]) => {
        fc.pre(location !== otherLocation || source !== other);
        assert.notEqual(sliceCopyName(location, source), sliceCopyName(otherLocation, other));
      }),
    );
  });

  it('is not shared where location and source split one text in two ways', () => {
    assert.notEqual(sliceCopyName('a-b', 'c'), sliceCopyName('a', 'b-c'));
    fc.assert(
      fc.property(locationNames, locationNames, locationNames, (first, middle, last) => {
        assert.notEqual(sliceCopyName(`${first}-${middle}`, last), sliceCopyName(first, `${middle}-${last}`));
        assert.notEqual(sliceCopyName(`${first}-${middle}`, last), sliceCopyName(first, `${middle}.${last}`));
      }),
    );
  });

  it('is not shared by long sources that differ only behind the cut', () => {
    const same = 'p'.repeat(240);
    assert.notEqual(sliceCopyName('ams-1', `${same}a`), sliceCopyName('ams-1', `${same}b`));
    assert.notEqual(sliceCopyName('ams-1', `${same}a`).slice(0, 200), sliceCopyName('ams-2', `${same}a`).slice(0, 200));
  });
});
