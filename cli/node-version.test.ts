import assert from 'node:assert/strict';
import { refuseOldNode } from '#cli/node-version.ts';

describe('the version of Node', () => {
  it('is refused when it is older in any part, with a way out', () => {
    for (const version of ['v20.20.2', 'v24.22.2', 'v24.9.9', 'v23.99.99'])
      assert.match(refuseOldNode(version) ?? '', /node_modules\/\.bin\/node/);
  });

  it('is fine when it is this one or any newer', () => {
    for (const version of ['v24.22.3', 'v24.23.0', 'v25.0.0', 'v100.1.0']) assert.equal(refuseOldNode(version), undefined);
  });
});
