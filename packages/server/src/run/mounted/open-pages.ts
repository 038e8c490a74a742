import type { JsonObject } from '@mortise/plugin';
import type { CallChannel, InputRequest } from '@mortise/plugin/runtime';

/** How many pages of one server are remembered: those that users were asked to open last. */
const MAX_OPEN = 100;

/** The pages that users were asked to open (elicitation of mode `url`), and the calls that they belong to. */
export class OpenPages {
  readonly #channels = new Map<string, CallChannel>();

  add(requests: Readonly<Record<string, InputRequest>>, channel: CallChannel | undefined): void {
    if (channel?.inputMode !== 'ask') return;
    for (const { params } of Object.values(requests)) {
      const { mode, elicitationId } = params;
      if (mode !== 'url' || typeof elicitationId !== 'string') continue;
      const [oldest] = this.#channels.size >= MAX_OPEN ? this.#channels.keys() : [];
      if (oldest !== undefined) this.#channels.delete(oldest);
      this.#channels.set(elicitationId, channel);
      channel.expectElicitation?.(elicitationId);
    }
  }

  /** The server says that the user is done with a page: the client that was told of it hears so, once. */
  complete({ elicitationId }: JsonObject): void {
    const channel = this.#channels.get(String(elicitationId));
    this.#channels.delete(String(elicitationId));
    channel?.completeElicitation?.(String(elicitationId));
  }
}
