import { z } from 'zod';
import { LOCATION } from '#api/keys.ts';
import { isLabelKey, parseSelector } from '#kube/label-selector.ts';
import { crosses } from '#mirror/crossing-keys.ts';

const group = z
  .string()
  .regex(/^$|^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/, { error: 'must be an API group, such as networking.datumapis.com' });

const selector = z.string().superRefine((text, context) => {
  try {
    parseSelector(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
});

// The location is computed for a slice's copy, but a project's own label says where a context or a subnet belongs.
const propagatedLabel = z
  .string()
  .refine(isLabelKey, { error: 'must be the key of a label' })
  .refine((key) => key === LOCATION || crosses(key), { error: 'is a key that never crosses: it is computed, or another system keeps it' });

/** One replicated kind as the configuration names it. */
export const kindSchema = z.strictObject({
  group: group.describe('The API group; `""` for the core group.'),
  version: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/, { error: 'must be a version, such as v1' })
    .describe('The version that is read and written. No other is ever asked for.'),
  kind: z
    .string()
    .regex(/^[A-Z][a-zA-Z0-9]*$/, { error: 'must be a kind, such as Network' })
    .describe('The kind, which must be one whose objects live in namespaces.'),
  selector: selector.exactOptional().describe('A label selector, as kubectl takes it: only what matches is copied.'),
  propagatedLabels: z
    .array(propagatedLabel)
    .default([])
    .describe('Labels that a copy has while its source has them. A copy is replaced when the value of one changes.'),
  status: z
    .literal('none', { error: 'must be none: toSource is reserved, since fedhub holds no right to write on a project' })
    .default('none')
    .describe('Which way the status goes. `none`: nowhere. `toSource` is reserved and refused for now.'),
});
