import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isProjectName, projectIdentity, projectOfFile } from '#cli/project-name.ts';
import { labelValue } from '#mirror/label-value.ts';
import { decodeUpstreamCluster } from '#mirror/upstream-name.ts';

const LABEL_VALUE = /^[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;
const segments = fc.stringMatching(/^[a-zA-Z0-9]([-.a-zA-Z0-9]{0,30}[a-zA-Z0-9])?$/);
const names = fc.array(segments, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));

describe('the name of a project', () => {
  it('is made of path segments of letters, digits and inner dashes, dots and underscores', () => {
    for (const name of ['p', 'org/p', 'Org-1/team.a/p_2', 'a'.repeat(240)]) assert.ok(isProjectName(name), name);
    for (const name of ['', '/', '/p', 'p/', 'a//b', '-p', 'p-', 'a/-b', 'a b', 'a:b', '..', '../p', 'ä', 'p\n', 'a'.repeat(241)])
      assert.ok(!isProjectName(name), name);
  });

  it('gives a label value that every API server takes, and that leads back to it', () => {
    fc.assert(
      fc.property(names, (name) => {
        assert.ok(isProjectName(name));
        assert.match(labelValue(projectIdentity(name)), LABEL_VALUE);
        assert.equal(decodeUpstreamCluster(projectIdentity(name)), name);
      }),
    );
  });

  it('is the same project with a slash or an underscore', () => {
    assert.equal(projectIdentity('org/p'), projectIdentity('org_p'));
    assert.notEqual(projectIdentity('org/p'), projectIdentity('org-p'));
  });

  it('is read off the name of a .yaml file, every underscore a slash', () => {
    assert.equal(projectOfFile('org_p.yaml'), 'org/p');
    assert.equal(projectOfFile('a.b_c_d.yaml'), 'a.b/c/d');
    for (const file of ['org_p', 'org_p.yml', '.yaml', 'p.yaml.bak']) assert.equal(projectOfFile(file), undefined, file);
  });
});
