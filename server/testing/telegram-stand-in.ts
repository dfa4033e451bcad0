import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { TelegramSettings } from '../settings/telegram-settings.ts';
import { LocalServer } from './acquirers/local-server.ts';

type Reply = { status: number; body: Record<string, unknown> };

const refusal = (status: number, description: string, parameters = {}): Reply => ({
  status,
  body: { ok: false, error_code: status, description, parameters },
});

/** Telegram's Bot API as far as the gateway needs it: chats, messages to and from one bot. */
export class TelegramStandIn {
  /** What the bot has sent, in order. */
  readonly sent: { chatId: string; text: string }[] = [];
  /** Chats whose person has blocked the bot. */
  readonly blocked = new Set<string>();
  /** The pauses that the next messages are answered with, in seconds. */
  readonly retryAfter: number[] = [];
  /** How often messages to the bot were asked for. */
  reads = 0;
  private updates: { update_id: number; message: object }[] = [];
  private nextId = 1;
  private readonly token = '123456:stand-in';
  private readonly server = new LocalServer((request, response) => this.answer(request, response));

  async listen(): Promise<TelegramSettings> {
    return { token: this.token, botName: 'example_bot', apiUrl: await this.server.listen() };
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Somebody writes to the bot; a link's code comes as `/start CODE`. */
  write(chatId: number, text: string, type = 'private'): void {
    const chat = { id: chatId, type, first_name: 'Aziza', username: 'aziza' };
    this.updates.push({ update_id: this.nextId++, message: { text, chat } });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, bot, method = ''] = (request.url ?? '').split('/');
    const body = (await json(request)) as Record<string, unknown>;
    const reply =
      bot === `bot${this.token}` ? this.replyTo(method, body) : refusal(401, 'Unauthorized');
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.body));
  }

  private replyTo(method: string, body: Record<string, unknown>): Reply {
    if (method === 'getUpdates') {
      this.reads += 1;
      // An offset forgets what is before it.
      this.updates = this.updates.filter((each) => each.update_id >= Number(body.offset));
      return { status: 200, body: { ok: true, result: this.updates.slice(0, 100) } };
    }
    if (method !== 'sendMessage') return refusal(404, 'Not Found');
    const [pause] = this.retryAfter.splice(0, 1);
    if (pause !== undefined) {
      return refusal(429, `Too Many Requests: retry after ${pause}`, { retry_after: pause });
    }
    const chatId = String(body.chat_id);
    if (this.blocked.has(chatId)) {
      return refusal(403, 'Forbidden: bot was blocked by the user');
    }
    if ('parse_mode' in body) return refusal(400, 'the gateway sends plain texts only');
    this.sent.push({ chatId, text: String(body.text) });
    return { status: 200, body: { ok: true, result: {} } };
  }
}
