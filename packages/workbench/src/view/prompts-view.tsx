import { visibleText } from 'mortise/util/visible-text';
import { useState } from 'preact/hooks';
import { messageOf } from '../rpc/message-of.js';
import { request } from '../state/connection.js';
import { prompts } from '../state/lists.js';
import { hrefOf, route } from '../state/route.js';
import type { ContentBlock, Prompt } from '../state/types.js';
import { CompletedInput } from './completed-input.js';
import { ContentBlocks } from './content-blocks.js';
import { BackLink, Notice } from './parts.js';

interface Message {
  readonly role: string;
  readonly content: ContentBlock;
}

export function PromptsView() {
  const { name } = route.value;
  const selected = prompts.value.find((prompt) => prompt.name === name);
  return (
    <div class={`split ${name === undefined ? '' : 'split-detail'}`}>
      <section class="sidebar" aria-label="All prompts">
        {prompts.value.length === 0 && <Notice title="The server has no prompts." />}
        {prompts.value.map((prompt) => (
          <a
            key={prompt.name}
            class="tool-row"
            href={hrefOf('prompts', prompt.name)}
            aria-current={prompt === selected ? 'true' : undefined}
          >
            <span class="tool-row-name">{prompt.title ?? prompt.name}</span>
            <span class="tool-row-id">{visibleText(prompt.description ?? prompt.name)}</span>
          </a>
        ))}
      </section>
      <section class="detail" aria-label="Prompt">
        <BackLink href={hrefOf('prompts')}>All prompts</BackLink>
        {selected ? (
          <PromptPage key={selected.name} prompt={selected} />
        ) : (
          <Notice title={name === undefined ? 'Choose a prompt.' : `There is no prompt ${name}.`} />
        )}
      </section>
    </div>
  );
}

function PromptPage({ prompt }: { prompt: Prompt }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [messages, setMessages] = useState<readonly Message[]>();
  const [error, setError] = useState('');
  const getMessages = async () => {
    const args = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    try {
      const result = await request('prompts/get', { name: prompt.name, arguments: args });
      setMessages((Array.isArray(result.messages) ? result.messages : []) as unknown as Message[]);
      setError('');
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  return (
    <>
      <header class="tool-header">
        <h1>{visibleText(prompt.title ?? prompt.name)}</h1>
        <p class="tool-meta">
          <code>{prompt.name}</code>
        </p>
        {prompt.description && <p class="description">{visibleText(prompt.description)}</p>}
      </header>
      <form
        class="panel fields"
        onSubmit={(event) => {
          event.preventDefault();
          void getMessages();
        }}
      >
        {(prompt.arguments ?? []).map(({ name, description, required }) => (
          <CompletedInput
            key={name}
            label={name}
            description={description}
            isRequired={required}
            value={values[name] ?? ''}
            onInput={(value) => setValues({ ...values, [name]: value })}
            reference={{ type: 'ref/prompt', name: prompt.name }}
            context={values}
          />
        ))}
        <div class="actions">
          <button type="submit" class="primary">
            Get the messages
          </button>
        </div>
      </form>
      {error && (
        <Notice kind="bad" title="The prompt cannot be read.">
          {error}
        </Notice>
      )}
      {messages?.map(({ role, content }, index) => (
        <article key={index} class="panel" aria-label={`Message of the ${role}`}>
          <p class="hint">{role}</p>
          <ContentBlocks blocks={[content]} />
        </article>
      ))}
    </>
  );
}
