// What a pod producer writes in a cell reaches every gateway through real Karmada, as the edge must read it,
// follows every change, and goes when its source goes; the copy that comes back into its own cell is left alone.
import assert from 'node:assert/strict';
import { KARMADA_MANAGED, SLICE_PROJECTION, SRV6_SID } from '#api/keys.ts';
import type { EndpointSlice } from '#api/objects.ts';
import { readAtEdge } from '#e2e/edge-reader.ts';
import { eventually } from '#e2e/eventually.ts';
import { deliver, gatewaysOf, useFederation } from '#e2e/karmada/use-federation.ts';
import { auditOf, serviceWrites } from '#e2e/scenario/hub-side.ts';
import { slicesOf } from '#e2e/scenario/slices.ts';

describe('through real Karmada', () => {
  const federation = useFederation({ audit: true });

  it('a slice reaches every gateway with exactly what the edge reads', async () => {
    const it = await deliver(federation(), { tenant: '0aB-x-Y9', sid: '2001:db8:F00D::00:1' });
    await it.expectOn(gatewaysOf(federation()));
    for (const gateway of gatewaysOf(federation())) {
      const copy = await it.on(gateway);
      assert.ok(copy);
      assert.deepEqual(readAtEdge(copy), {
        kind: 'route',
        vpc: '0aB',
        attachment: 'x-Y9',
        sid: '2001:db8:F00D::00:1',
        prefix: 'fd20::7/128',
      });
      assert.deepEqual(bodyOf(copy), bodyOf(it.source));
      assert.equal(copy.metadata.ownerReferences, undefined);
    }
  });

  it('a change and a deletion reach every gateway', async () => {
    const it = await deliver(federation());
    await it.expectOn(gatewaysOf(federation()));
    await it.patch({ metadata: { annotations: { [SRV6_SID]: '2001:db8:2::' } } });
    await it.expectOn(gatewaysOf(federation()), ({ metadata }) => metadata.annotations?.[SRV6_SID] === '2001:db8:2::');
    await it.delete();
    await it.expectGone([federation().hub, ...gatewaysOf(federation())]);
  });

  it('the copy that returns to its own cell is not published again, with or without the marks of Karmada', async () => {
    const { hub, cells, service } = federation();
    const it = await deliver(federation());
    await it.expectOn(cells);
    const returned = await it.on(cells[0]);
    assert.equal(returned?.metadata.labels?.[KARMADA_MANAGED], 'true');
    const namespace = it.source.metadata.namespace ?? '';
    // A delivered copy that Karmada let go of has lost its marks: only ours are left.
    const kept = Object.entries(returned?.metadata.labels ?? {}).filter(([key]) => !key.includes('karmada.io'));
    const stripped = { ...bodyOf(returned), metadata: { namespace, name: 'let-go', labels: Object.fromEntries(kept) } };
    await slicesOf(cells[0].admin).create({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...stripped } as EndpointSlice);
    await service.swept(cells[0].name);
    const names = (await slicesOf(hub.admin).list(namespace)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, [it.copyName]);
  });

  it('a slice that only carries the label of ours, or only that of Karmada, is not published', async () => {
    const { hub, cells, service } = federation();
    const it = await deliver(federation());
    const namespace = it.source.metadata.namespace ?? '';
    for (const [name, label] of [
      ['ours', SLICE_PROJECTION],
      ['theirs', KARMADA_MANAGED],
    ] as const) {
      const { metadata, ...body } = it.source;
      const labels = { ...metadata.labels, [label]: 'true' };
      await slicesOf(cells[0].admin).create({ ...body, metadata: { namespace, name, labels, annotations: metadata.annotations ?? {} } });
    }
    await service.swept(cells[0].name);
    const names = (await slicesOf(hub.admin).list(namespace)).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, [it.copyName]);
  });

  it('publishing a change leaves everything that Karmada added to the copy', async () => {
    const { hub } = federation();
    const it = await deliver(federation());
    const claimed = await eventually('Karmada claims the copy', async () => {
      const marks = karmadaMarks(await it.on(hub));
      return Object.keys(marks).length > 1 && marks;
    });
    await it.patch({ metadata: { labels: { 'example.com/colour': 'blue' } } });
    await it.expectOn([hub], ({ metadata }) => metadata.labels?.['example.com/colour'] === 'blue');
    assert.deepEqual(karmadaMarks(await it.on(hub)), claimed);
    await it.patch({ metadata: { labels: { 'example.com/colour': null } } });
    await it.expectOn(gatewaysOf(federation()), ({ metadata }) => metadata.labels?.['example.com/colour'] === undefined);
    assert.deepEqual(karmadaMarks(await it.on(hub)), claimed);
  });

  it('a claim by Karmada makes the service write nothing', async () => {
    const { hub, cells, service } = federation();
    const it = await deliver(federation());
    await it.expectOn(gatewaysOf(federation()));
    await service.swept(cells[0].name);
    const writes = serviceWrites(auditOf(hub)).filter((write) => write.includes(it.source.metadata.namespace ?? ''));
    assert.equal(writes.length, 1);
  });

  it('a gateway that is down while a copy is withdrawn loses it once it is back', async () => {
    const { hub, cells, gateway } = federation();
    const it = await deliver(federation());
    await it.expectOn(gatewaysOf(federation()));
    await gateway.stop();
    await it.delete();
    await it.expectGone([hub, ...cells]);
    await gateway.start();
    await it.expectGone([gateway]);
  });

  it('the service has only read in the cells', () => {
    assert.deepEqual(
      federation().cells.flatMap((cell) => serviceWrites(auditOf(cell))),
      [],
    );
  });
});

function bodyOf(slice: EndpointSlice | undefined): Record<string, unknown> {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...body } = slice ?? { metadata: {} };
  return body;
}

function karmadaMarks(copy: EndpointSlice | undefined): Record<string, string> {
  const marks = { ...copy?.metadata.labels, ...copy?.metadata.annotations };
  return Object.fromEntries(Object.entries(marks).filter(([key]) => key.includes('karmada.io')));
}
