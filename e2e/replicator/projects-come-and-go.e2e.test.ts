// Projects are listed in the configuration or found in a folder of kubeconfigs, and come and go while the service runs.
// One that leaves keeps its copies; one that is not there, or whose file is bad, delays no other.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useProjects } from '#e2e/project-scenario.ts';
import { networkFields, NETWORKS } from '#e2e/scenario/project-kinds.ts';

describe('projects that come and go', () => {
  const scenario = useProjects();
  const statusOf = async (name: string) => {
    const { projects } = JSON.parse((await scenario().service.ask('/status')).body);
    return projects.find((project: { name: string }) => project.name === name);
  };

  it('in the configuration: one that leaves keeps its copies, and all of its changes are taken up when it is back', async () => {
    const { p1, p2, hub, service, declared, configure, swept } = scenario();
    const namespace = await p1.createNamespace();
    const [gone, stays] = [declared(p1, NETWORKS, { namespace, name: 'gone' }), declared(p1, NETWORKS, { namespace, name: 'stays' })];
    for (const network of [gone, stays]) await network.publish(networkFields());
    configure([p2]);
    await service.eventually('it has left', async () => (await statusOf(p1.name)) === undefined);
    const mark = hub.mark();
    await gone.delete();
    const late = await declared(p1, NETWORKS, { namespace, name: 'late' }).declare(networkFields());
    await swept(p2);
    assert.deepEqual(hub.writesSince(mark), []);
    configure([p1, p2]);
    await late.expectCopy();
    await gone.expectNoCopy();
    await stays.expectCopy();
  });

  it('in a folder, by files that are moved in and out', async () => {
    const { p1, p2, folder, service, declared, configure } = scenario();
    const directory = join(folder, 'projects');
    mkdirSync(directory);
    configure([p1], { projectsFrom: { directory } });
    await service.eventually('it has left', async () => (await statusOf(p2.name)) === undefined);
    writeFileSync(join(directory, 'org_broken.yaml'), 'no: kubeconfig');
    writeFileSync(join(directory, 'org p3.yaml'), '');
    const moveIn = (name: string) => {
      copyFileSync(p2.kubeconfig, join(folder, name));
      renameSync(join(folder, name), join(directory, name));
    };
    moveIn('org_p2.yaml');
    const network = declared(p2, NETWORKS, { namespace: await p2.createNamespace(), name: 'net' });
    await network.publish(networkFields());
    assert.equal((await statusOf('org/broken')).phase, 'connecting');
    const told = (text: string) => service.eventually(`it is told: ${text}`, () => JSON.stringify(service.logs()).includes(text));
    await told('org_broken.yaml');
    await told('org p3.yaml');
    moveIn('org_p1.yaml');
    await told('is named twice: by projects.0 and by');
    assert.equal((await statusOf(p1.name)).phase, 'mirroring');
    rmSync(join(directory, 'org_p2.yaml'));
    await service.eventually('it has left', async () => (await statusOf(p2.name)) === undefined);
    await network.expectCopy();
  });

  it('with one that never answers: the others are served within seconds of a start', async () => {
    const { p1, p2, service, declared, configure } = scenario();
    await service.stop();
    configure([p1, p2]);
    p1.faults.request({}, { kind: 'hang' });
    const network = declared(p2, NETWORKS, { namespace: await p2.createNamespace(), name: 'net' });
    await network.declare(networkFields());
    await service.start();
    await network.expectCopy();
    assert.equal((await statusOf(p1.name)).phase, 'connecting');
    p1.faults.clear();
    p1.proxy.cut();
    await service.eventually('it is mirrored', async () => (await statusOf(p1.name)).phase === 'mirroring');
  });
});
