import assert from 'node:assert/strict';
import type { HubConfig } from '#cli/hub-config.ts';
import { createLog } from '#cli/logger.ts';
import { ProjectWatch } from '#cli/project-watch.ts';
import { systemClock } from '#kube/clock.ts';

type Wanted = Pick<HubConfig, 'projects' | 'projectsFrom'>;
type Look = string[] | Error;

const UNREADABLE = Object.assign(new Error('gone'), { code: 'ENOENT' });
const listed = (...names: string[]) => names.map((name) => ({ name, kubeconfig: name }));

/** A watch over a folder that shows each of `looks` in turn, and all that it told. */
function watch(config: Wanted, looks: Look[] = []) {
  const told: string[] = [];
  const logged: string[] = [];
  const inForce = { config };
  const stop = new AbortController();
  const watching = new ProjectWatch({
    config: () => inForce.config,
    onProjects: (projects) => told.push(projects.map(({ name }) => name).join()),
    clock: { ...systemClock, sleep: async () => (looks.length === 0 ? stop.abort() : undefined) },
    log: createLog('error', { write: (line: string) => logged.push(String(JSON.parse(line).reason)) }),
    read: async () => {
      const look = looks.shift() ?? [];
      if (look instanceof Error) throw look;
      return { projects: listed(...look.filter((name) => !name.includes('!'))), problems: look.filter((name) => name.includes('!')) };
    },
  });
  return { told, logged, inForce, run: () => watching.run(stop.signal), look: () => watching.look() };
}

const FOLDER = { projectsFrom: { directory: '/projects' } };

describe('watching the projects', () => {
  it('tells those of the configuration without any folder', async () => {
    const { told, look } = watch({ projects: listed('a') });
    await look();
    await look();
    assert.deepEqual(told, ['a']);
  });

  it('tells that there are none, once', async () => {
    const { told, look } = watch({ projects: [] });
    await look();
    await look();
    assert.deepEqual(told, ['']);
  });

  it('tells each change of the folder, and nothing while it stays the same', async () => {
    const { told, run } = watch({ projects: listed('a'), ...FOLDER }, [[], ['b'], ['b'], ['b', 'c'], []]);
    await run();
    assert.deepEqual(told, ['a', 'a,b', 'a,b,c', 'a']);
  });

  it('takes up what the configuration says by then', async () => {
    const { told, inForce, look } = watch({ projects: listed('a'), ...FOLDER }, [['x']]);
    await look();
    inForce.config = { projects: listed('b') };
    await look();
    assert.deepEqual(told, ['a,x', 'b']);
  });

  it('keeps what was found while the folder cannot be read, and says so once', async () => {
    const { told, logged, run } = watch({ projects: [], ...FOLDER }, [['b'], UNREADABLE, UNREADABLE, ['b', 'c'], UNREADABLE]);
    await run();
    assert.deepEqual(told, ['b', 'b,c']);
    const unreadable = 'Cannot read the folder "/projects": ENOENT';
    assert.deepEqual(logged, [unreadable, unreadable]);
  });

  it('forgets what was found when another folder is configured, even one that cannot be read', async () => {
    const { told, inForce, look } = watch({ projects: [], ...FOLDER }, [['b'], UNREADABLE]);
    await look();
    inForce.config = { projects: [], projectsFrom: { directory: '/other' } };
    await look();
    assert.deepEqual(told, ['b', '']);
  });

  it('says what is wrong with a file once, and goes on with the others', async () => {
    const { told, logged, run } = watch({ projects: [], ...FOLDER }, [
      ['a', 'x!'],
      ['a', 'x!', 'y!'],
      ['b', 'y!'],
    ]);
    await run();
    assert.deepEqual(told, ['a', 'b']);
    assert.deepEqual(logged, ['x!', 'y!']);
  });
});
