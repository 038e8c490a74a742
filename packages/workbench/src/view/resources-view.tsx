import { visibleText } from 'mortise/util/visible-text';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../rpc/message-of.js';
import { onAnnouncement, request, watchResource } from '../state/connection.js';
import { resources, resourceTemplates } from '../state/lists.js';
import { go, hrefOf, route } from '../state/route.js';
import type { ResourceContents, ResourceTemplate } from '../state/types.js';
import { CompletedInput } from './completed-input.js';
import { Contents } from './content-blocks.js';
import { BackLink, Notice } from './parts.js';
import { VirtualList } from './virtual-list.js';

const ROW_HEIGHT = 48;

export function ResourcesView() {
  const { name } = route.value;
  return (
    <div class={`split ${name === undefined ? '' : 'split-detail'}`}>
      <section class="sidebar" aria-label="All resources">
        <VirtualList
          class="tool-list"
          items={[...resources.value, ...resourceTemplates.value]}
          rowHeight={ROW_HEIGHT}
          render={(item) => {
            const uri = 'uri' in item ? item.uri : item.uriTemplate;
            return (
              <a
                key={uri}
                class="tool-row"
                style={{ height: `${ROW_HEIGHT}px` }}
                href={hrefOf('resources', uri)}
                aria-current={uri === name ? 'true' : undefined}
              >
                <span class="tool-row-head">
                  <span class="tool-row-name">{item.title ?? item.name}</span>
                  {'uriTemplate' in item && <span class="badge">template</span>}
                </span>
                <span class="tool-row-id">{uri}</span>
              </a>
            );
          }}
        />
      </section>
      <section class="detail" aria-label="Resource">
        {name === undefined ? (
          <Notice title="Choose a resource.">Its content is read from the server.</Notice>
        ) : (
          <ResourcePage key={name} uri={name} />
        )}
      </section>
    </div>
  );
}

function ResourcePage({ uri }: { uri: string }) {
  const template = resourceTemplates.value.find(({ uriTemplate }) => uriTemplate === uri);
  return (
    <>
      <BackLink href={hrefOf('resources')}>All resources</BackLink>
      {template ? <TemplateForm template={template} /> : <ResourceContent uri={uri} />}
    </>
  );
}

/** The result of the latest read of a resource; without members while the first read runs. */
interface ReadResult {
  readonly contents?: readonly ResourceContents[];
  readonly error?: string;
  readonly readAt?: number;
}

function ResourceContent({ uri }: { uri: string }) {
  const listed = resources.value.find((resource) => resource.uri === uri);
  const [readResult, setReadResult] = useState<ReadResult>({});
  const [isWatched, setWatched] = useState(false);
  const read = async () => setReadResult(await readResource(uri));
  useEffect(() => void read(), [uri]);
  useEffect(() => {
    if (!isWatched) return;
    watchResource(uri, true);
    const stop = onAnnouncement((method, params) => {
      if (method === 'notifications/resources/updated' && params.uri === uri) void read();
    });
    return () => {
      stop();
      watchResource(uri, false);
    };
  }, [uri, isWatched]);
  return (
    <>
      <header class="tool-header">
        <h1>{visibleText(listed?.title ?? listed?.name ?? uri)}</h1>
        <p class="tool-meta">
          <code>{uri}</code>
          {listed?.mimeType && <span class="badge">{listed.mimeType}</span>}
        </p>
        {listed?.description && <p class="description">{visibleText(listed.description)}</p>}
      </header>
      <div class="actions">
        <button type="button" onClick={() => void read()}>
          Read again
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={isWatched}
            onChange={({ currentTarget }) => setWatched(currentTarget.checked)}
          />{' '}
          Follow changes
        </label>
        <span class="hint" role="status">
          {readResult.readAt !== undefined && `Read at ${new Date(readResult.readAt).toLocaleTimeString()}`}
        </span>
      </div>
      {readResult.error && (
        <Notice kind="bad" title="The resource cannot be read.">
          {readResult.error}
        </Notice>
      )}
      {!readResult.contents && !readResult.error && <Notice title="Reading …" />}
      {readResult.contents?.map((contents, index) => (
        <Contents
          key={index}
          contents={contents}
          isCaptioned={contents.uri !== uri || contents.mimeType !== listed?.mimeType}
        />
      ))}
    </>
  );
}

async function readResource(uri: string): Promise<ReadResult> {
  try {
    const { contents } = await request('resources/read', { uri });
    return { contents: (Array.isArray(contents) ? contents : []) as unknown as ResourceContents[], readAt: Date.now() };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

const VARIABLE = /\{([?&/.;#+]?)([^}]+)\}/g;

function TemplateForm({ template }: { template: ResourceTemplate }) {
  const { uriTemplate } = template;
  const names = [...uriTemplate.matchAll(VARIABLE)].flatMap(([, , list = '']) =>
    list.split(',').map((name) => name.replace(/\*$/, '')),
  );
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const uri = expand(uriTemplate, values);
  return (
    <form
      class="sections"
      onSubmit={(event) => {
        event.preventDefault();
        go('resources', uri);
      }}
    >
      <header class="tool-header">
        <h1>{visibleText(template.title ?? template.name)}</h1>
        <p class="tool-meta">
          <code>{uriTemplate}</code>
        </p>
        {template.description && <p class="description">{visibleText(template.description)}</p>}
      </header>
      <div class="panel fields">
        {names.map((name) => (
          <CompletedInput
            key={name}
            label={name}
            value={values[name] ?? ''}
            onInput={(value) => setValues({ ...values, [name]: value })}
            reference={{ type: 'ref/resource', uri: uriTemplate }}
            context={values}
          />
        ))}
        <p class="hint">
          <code>{uri}</code>
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            Read
          </button>
        </div>
      </div>
    </form>
  );
}

/** Expands a URI template. It supports the part of RFC 6570 that MCP servers use. */
function expand(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(VARIABLE, (_, operator: string, list: string) => {
    const pairs = list
      .split(',')
      .map((name) => name.replace(/\*$/, ''))
      .filter((name) => (values[name] ?? '') !== '')
      .map(
        (name) =>
          [
            name,
            operator === '+' || operator === '#' ? encodeURI(values[name]!) : encodeURIComponent(values[name]!),
          ] as const,
      );
    if (pairs.length === 0) return '';
    if (operator === '?' || operator === '&')
      return operator + pairs.map(([name, value]) => `${name}=${value}`).join('&');
    const separator = operator === '' || operator === '+' || operator === '#' ? ',' : operator;
    const prefix = operator === '+' ? '' : operator;
    return prefix + pairs.map(([, value]) => value).join(separator);
  });
}
