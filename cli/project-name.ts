import { encodeUpstreamCluster } from '#mirror/upstream-name.ts';

/** Path segments, each of which may begin and end a label value: `org/p`. */
const PROJECT_NAME = /^[a-zA-Z0-9]([-_.a-zA-Z0-9]*[a-zA-Z0-9])?(\/[a-zA-Z0-9]([-_.a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;
/** Characters. A longer one could not be the name of a file either. */
const PROJECT_NAME_MAX = 240;

/** What `isProjectName` asks for, in words. */
export const PROJECT_NAME_FACT =
  "must be a project's name: path segments as in org/p, each of letters, digits and inner dashes, dots and underscores";

/** True for a name that can be written into a label: with `/` as `_`, and shortened where it is long (contract section 1). */
export function isProjectName(name: string): boolean {
  return name.length <= PROJECT_NAME_MAX && PROJECT_NAME.test(name);
}

/** What two projects may not have in common: the label value that stands for the name. `org/p` and `org_p` are one. */
export function projectIdentity(name: string): string {
  return encodeUpstreamCluster(name) ?? '';
}

/** The project whose kubeconfig is in a file of this name: `org_p.yaml` is `org/p`; undefined for another kind of file. */
export function projectOfFile(fileName: string): string | undefined {
  const [, encoded] = /^(.+)\.yaml$/.exec(fileName) ?? [];
  return encoded?.replaceAll('_', '/');
}
