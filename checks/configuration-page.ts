import { z } from 'zod';
import { CONFIG_API_VERSION, CONFIG_KIND, configSchema } from '#cli/config-schema.ts';

type Schema = z.core.JSONSchema._JSONSchema;

/** The reference page of the configuration file, made from the schema that the program reads it with. */
export function writeConfigurationPage(): string {
  const rows = describeField('', z.toJSONSchema(configSchema, { io: 'input' }), true);
  return `# Configuration

One YAML file, \`apiVersion: ${CONFIG_API_VERSION}\`, \`kind: ${CONFIG_KIND}\`. Keys that are not listed here are refused. Durations are
written \`500ms\`, \`30s\`, \`10m\`, \`1h30m\`. \`cells\`, \`projects\` and \`projectsFrom\` are taken up when the file changes, everything else
at the next start.

| Key | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}

Made from \`cli/config-schema.ts\` by \`make generate\`.
`;
}

function describeField(path: string, schema: Schema, required: boolean): string[] {
  if (typeof schema === 'boolean') return [];
  const row = schema.description === undefined ? [] : [`| \`${path}\` | ${describeDefault(schema, required)} | ${schema.description} |`];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
    describeField(path === '' ? key : `${path}.${key}`, field, schema.required?.includes(key) ?? false),
  );
  const items = schema.items !== undefined && !Array.isArray(schema.items) ? describeField(`${path}[]`, schema.items, true) : [];
  return [...row, ...inner, ...items];
}

function describeDefault(schema: z.core.JSONSchema.BaseSchema, required: boolean): string {
  if (required) return 'required';
  return schema.default === undefined
    ? 'none'
    : `\`${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}\``;
}
