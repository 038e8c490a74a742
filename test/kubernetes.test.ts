import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../packages/server/src/settings/load.js';
import type { Raw } from './support/raw-stdio.js';
import { createWorkplace, ROOT } from './support/workplace.js';

const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8');
const manifestsIn = (text: string): Raw[] => parseAllDocuments(text).map((document) => document.toJS());
const manifests = ['kubernetes/mortise.yaml', 'kubernetes/nginx.yaml'].flatMap((path) => manifestsIn(read(path)));
const find = (kind: string, name: string) => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

const load = createRequire(import.meta.url);

/** Checks values against the schema of Kubernetes. */
function schemaProblems(manifest: Raw): string[] {
  const Model = load(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`)[manifest.kind];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The schemas allow members that they do not have. Their types do not, so the compiler finds them. */
function unknownMembers(all: readonly Raw[]): string {
  const models = join(ROOT, 'node_modules', 'kubernetes-models');
  const lines = all.map((manifest, at) => {
    const type = `import('${models}/${manifest.apiVersion}/${manifest.kind}').I${manifest.kind}`;
    return `export const manifest${at}: ${type} = ${JSON.stringify(manifest)};`;
  });
  const file = createWorkplace().write('manifests.ts', lines.join('\n'));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  return spawnSync(process.execPath, [compiler, ...options.split(' '), file], { encoding: 'utf8' }).stdout;
}

describe('the manifests of deploy/kubernetes', () => {
  it('fit the schemas of Kubernetes', () => {
    expect(manifests.length).toBeGreaterThan(10);
    for (const manifest of manifests) expect(schemaProblems(manifest), manifest.kind).toEqual([]);
    expect(unknownMembers(manifests)).toBe('');
  });

  it('would not fit them with a wrong value or a misspelt member', () => {
    const wrong = manifestsIn(read('kubernetes/mortise.yaml').replace('maxReplicas: 10', 'maxReplicas: many'));
    const problems = wrong.flatMap(schemaProblems);
    expect(problems).toEqual([expect.stringContaining('maxReplicas')]);
    const misspelt = manifestsIn(read('kubernetes/mortise.yaml').replace('readinessProbe:', 'readynessProbe:'));
    expect(unknownMembers(misspelt)).toContain('readynessProbe');
  });

  it('select pods that they have, in their namespace', () => {
    const pods = ['StatefulSet', 'Deployment'].flatMap((kind) =>
      manifests.filter((manifest) => manifest.kind === kind),
    );
    const labels = pods.map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/name']);
    expect(labels).toEqual(['mortise', 'mortise-nginx']);
    const selectorOf = ({ kind, spec }: Raw) =>
      ({
        Service: spec?.selector,
        NetworkPolicy: spec?.podSelector?.matchLabels,
        PodDisruptionBudget: spec?.selector?.matchLabels,
        StatefulSet: spec?.selector?.matchLabels,
        Deployment: spec?.selector?.matchLabels,
      })[kind as string];
    const selectors = manifests.flatMap((manifest) => selectorOf(manifest) ?? []);
    expect(selectors).toHaveLength(9);
    for (const selector of selectors) expect(labels).toContain(selector['app.kubernetes.io/name']);
    for (const { kind, metadata } of manifests) if (kind !== 'Namespace') expect(metadata.namespace).toBe('mortise');
  });

  it('have a route in nginx for each replica that the autoscaler may start', () => {
    const routes = read('kubernetes/nginx/replicas.conf');
    const { spec } = find('HorizontalPodAutoscaler', 'mortise');
    const { metadata, spec: set } = find('StatefulSet', 'mortise');
    expect(spec.scaleTargetRef).toMatchObject({ kind: 'StatefulSet', name: metadata.name });
    expect(spec.minReplicas).toBeGreaterThanOrEqual(3);
    const { ports } = set.template.spec.containers[0];
    for (let at = 0; at < spec.maxReplicas; at += 1) {
      const pod = `${metadata.name}-${at}`;
      const name = `${pod}.${set.serviceName}.${metadata.namespace}.svc.cluster.local:${ports[0].containerPort}`;
      expect(routes).toContain(`upstream ${pod} {\n  zone ${pod} 64k;\n  server ${name} resolve max_fails=0;`);
      expect(routes).toMatch(new RegExp(`^  ${pod} ${pod};$`, 'm'));
    }
    expect([...routes.matchAll(/^upstream mortise-/gm)]).toHaveLength(spec.maxReplicas);
    for (const [, service] of routes.matchAll(/server (mortise-ready|mortise-pods)\./g)) find('Service', service!);
  });

  it('run without rights, and restart what does not answer', () => {
    for (const { spec } of [find('StatefulSet', 'mortise'), find('Deployment', 'mortise-nginx')]) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container).toMatchObject({ livenessProbe: {}, readinessProbe: {}, resources: { limits: {} } });
        const names = container.ports.map(({ name }: Raw) => name);
        for (const probe of [container.livenessProbe, container.readinessProbe])
          expect(names).toContain((probe.httpGet ?? probe.tcpSocket).port);
      }
    }
    const dockerfile = read('Dockerfile');
    const { runAsUser } = find('StatefulSet', 'mortise').spec.template.spec.securityContext;
    expect(dockerfile).toContain(`USER ${runAsUser}\n`);
  });

  it('have settings that are valid with the variables of the secret', async () => {
    const names = [...JSON.stringify(find('ConfigMap', 'mortise').data).matchAll(/\$\{env:(\w+)\}/g)];
    const secret = Object.fromEntries(names.map(([, name]) => [name!, `${name}-with-32-characters-or-more`]));
    const workplace = createWorkplace({}, JSON.parse(find('ConfigMap', 'mortise').data['appsettings.json']));
    const { settings } = await loadSettings({
      cwd: workplace.folder,
      userConfigDir: join(workplace.folder, 'none'),
      configPath: workplace.config,
      env: {
        ...secret,
        REDIS_URL: 'rediss://redis.example:6379',
        State__Replica: 'mortise-0',
        Http__AllowedHosts__0: '10.0.0.1',
      },
    });
    expect(settings.State).toMatchObject({ Replica: 'mortise-0', Redis: { Urls: ['rediss://redis.example:6379'] } });
    const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
    for (const [, name] of names) expect(page).toContain(`--from-literal=${name}=`);
  });
});
