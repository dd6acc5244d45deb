import assert from 'node:assert/strict';
import { chooseProjects } from '#cli/choose-projects.ts';

const NONE = { projects: [], problems: [] };

describe('the projects of configuration and folder', () => {
  it('are all of them, those of the configuration first', () => {
    const [listed, found] = [
      { name: 'b', kubeconfig: 'b' },
      { name: 'a', kubeconfig: 'f/a.yaml' },
    ];
    assert.deepEqual(chooseProjects([listed], { projects: [found], problems: [] }).projects, [listed, found]);
    assert.deepEqual(chooseProjects([], NONE), NONE);
  });

  it('have one that is named both ways once, as the configuration says, and both places are told', () => {
    const listed = { name: 'org/p', kubeconfig: 'p' };
    const { projects, problems } = chooseProjects([listed], { projects: [{ name: 'org/p', kubeconfig: 'f/org_p.yaml' }], problems: ['x'] });
    assert.deepEqual(projects, [listed]);
    assert.deepEqual(problems, ['x', 'Project "org/p" is named twice: by projects.0 and by "f/org_p.yaml", which is left out']);
  });

  it('count names that one label stands for as one', () => {
    const listed = { name: 'org_p', kubeconfig: 'p' };
    const { projects } = chooseProjects([listed], { projects: [{ name: 'org/p', kubeconfig: 'f/org_p.yaml' }], problems: [] });
    assert.deepEqual(projects, [listed]);
  });
});
