import { useEffect, useMemo, useState } from 'preact/hooks';
import { hrefOf } from '../state/route.js';
import type { ContentBlock, ResourceContents } from '../state/types.js';
import { LongText } from './long-text.js';
import { formatBytes, Notice } from './parts.js';

export function ContentBlocks({ blocks }: { blocks: readonly ContentBlock[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} block={block} label={blocks.length === 1 ? 'Text' : `Block ${index + 1}`} />
      ))}
    </>
  );
}

function Block({ block, label }: { block: ContentBlock; label: string }) {
  switch (block.type) {
    case 'text':
      return <LongText text={block.text ?? ''} label={label} />;
    case 'image':
    case 'audio':
      return <Media type={block.type} data={block.data ?? ''} mimeType={block.mimeType ?? ''} />;
    case 'resource':
      return block.resource ? <Contents contents={block.resource} /> : null;
    case 'resource_link':
      return (
        <p class="resource-link">
          <a href={hrefOf('resources', block.uri ?? '')}>{block.title ?? block.name ?? block.uri}</a>{' '}
          <code>{block.uri}</code>
          {block.description && <span class="hint"> {block.description}</span>}
        </p>
      );
    default:
      return <Notice title={`A block of the type ${block.type}, which this page does not know.`} />;
  }
}

/** Shows the contents of a resource. @param isCaptioned false if the URI and the type are already shown above */
export function Contents({ contents, isCaptioned = true }: { contents: ResourceContents; isCaptioned?: boolean }) {
  const { uri, mimeType = '', text, blob } = contents;
  return (
    <figure class="contents">
      {isCaptioned && (
        <figcaption>
          <code>{uri}</code> {mimeType && <span class="badge">{mimeType}</span>}
        </figcaption>
      )}
      {text !== undefined && <LongText text={text} label={uri} />}
      {blob !== undefined && mimeType.startsWith('image/') && <Media type="image" data={blob} mimeType={mimeType} />}
      {blob !== undefined && mimeType.startsWith('audio/') && <Media type="audio" data={blob} mimeType={mimeType} />}
      {blob !== undefined && !/^(image|audio)\//.test(mimeType) && (
        <Download data={blob} mimeType={mimeType} name={uri.split('/').at(-1) || 'resource'} />
      )}
    </figure>
  );
}

function useBlobUrl(data: string, mimeType: string): string | undefined {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const next = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    setUrl(next);
    return () => URL.revokeObjectURL(next);
  }, [bytes, mimeType]);
  return url;
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const MEDIA = /^(image|audio)\/[a-z0-9.+-]+$/i;

function Media({ type, data, mimeType }: { type: 'image' | 'audio'; data: string; mimeType: string }) {
  const url = useBlobUrl(data, mimeType);
  const [isBroken, setBroken] = useState(false);
  if (!MEDIA.test(mimeType) || isBroken)
    return <Notice kind="warn" title={`This ${type} cannot be shown (${mimeType || 'no type'}).`} />;
  if (url === undefined) return <Notice title="Loading …" />;
  return type === 'image' ? (
    <img class="media" src={url} alt={`Returned by the tool (${mimeType})`} onError={() => setBroken(true)} />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: what a tool returns has no captions
    <audio controls src={url} aria-label="Audio of the result" onError={() => setBroken(true)} />
  );
}

function Download({ data, mimeType, name }: { data: string; mimeType: string; name: string }) {
  const url = useBlobUrl(data, mimeType || 'application/octet-stream');
  return (
    <a class="button" href={url} download={name}>
      Save {name} ({formatBytes(Math.floor((data.replace(/=+$/, '').length * 3) / 4))})
    </a>
  );
}
