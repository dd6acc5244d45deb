import assert from 'node:assert/strict';
import type { CellSide } from '#e2e/scenario/cell-side.ts';
import { contentOf, copyKey, expectedContent } from '#e2e/scenario/expected-copy.ts';
import type { HubSide } from '#e2e/scenario/hub-side.ts';
import { sourceObject } from '#e2e/scenario/source-object.ts';
import type { SliceKey, SourceOptions } from '#e2e/scenario/source-object.ts';
import type { Service } from '#e2e/service.ts';
import type { EndpointSlice } from '#api/objects.ts';

/** One source in a cell, there or not, and its copy on the hub: what nearly every behaviour test is about. */
export class Source {
  readonly key: SliceKey;
  /** Where its copy belongs. */
  readonly copyKey: SliceKey;
  readonly #cell: CellSide;
  readonly #hub: HubSide;
  readonly #service: Service;

  constructor(key: SliceKey, { cell, hub, service }: { cell: CellSide; hub: HubSide; service: Service }) {
    this.key = key;
    this.copyKey = copyKey(cell.location, key);
    this.#cell = cell;
    this.#hub = hub;
    this.#service = service;
  }

  /** Makes it, as the pod producer would. */
  async create(options: SourceOptions = {}): Promise<this> {
    await this.#cell.slices.create(sourceObject(this.key, options));
    return this;
  }

  /** Makes it and waits for its copy. */
  async publish(options: SourceOptions = {}): Promise<this> {
    await this.create(options);
    await this.expectCopy();
    return this;
  }

  /** Changes it by a JSON merge patch. */
  async patch(patch: object): Promise<void> {
    await this.#cell.slices.patch(this.key, patch);
  }

  async delete(): Promise<void> {
    await this.#cell.slices.delete(this.key);
  }

  /** Its copy right now, or undefined. */
  copy(): Promise<EndpointSlice | undefined> {
    return this.#hub.slices.read(this.copyKey);
  }

  /** Waits until the hub holds exactly the copy that the source as it is now calls for, and returns it. */
  async expectCopy(options: { deadlineMs?: number } = {}): Promise<EndpointSlice> {
    const look = async () => {
      const [source, copy, hubNamespace] = await Promise.all([
        this.#cell.slices.read(this.key),
        this.copy(),
        this.#hub.readNamespace(this.key.namespace),
      ]);
      assert.ok(source && copy && hubNamespace, `source ${present(source)}, copy ${present(copy)}, hub namespace ${present(hubNamespace)}`);
      const { location, clusterUid } = this.#cell;
      assert.deepEqual(contentOf(copy), expectedContent(source, { location, clusterUid, hubNamespace }));
      return copy;
    };
    return this.#service.eventually(`the hub holds the copy of ${this.key.name}`, look, options);
  }

  /** Waits until the hub holds no copy of it. */
  async expectNoCopy(): Promise<void> {
    await this.#service.eventually(`the copy of ${this.key.name} is gone`, async () => (await this.copy()) === undefined);
  }
}

function present(object: unknown): string {
  return object === undefined ? 'absent' : 'present';
}
