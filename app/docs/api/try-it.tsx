'use client';

import {
  type FormEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocale } from 'use-intl/react';
import { randomUuid } from '#app/_ui/random-uuid.ts';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { docsAddress } from '../_content/docs-language.ts';
import { CopyCode } from '../_parts/copy-code.tsx';
import {
  credentialsFault,
  curlCommand,
  errorsAddress,
  freshBody,
  type TrialRequest,
  trialHeaders,
} from './trial-request.ts';
import { subscribeToVisitor, updateVisitor, visitor } from './visitor.ts';

const BASE = '/api/sandbox';

type Tried = {
  status: number;
  durationMs: number;
  requestId: string;
  text: string;
  pageUrl: string | null;
};

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The id and page of the invoice in an answer. */
function invoiceIn(text: string): { id: string | null; url: string | null } {
  try {
    const { data } = JSON.parse(text);
    return { id: data?.invoice_id ?? null, url: data?.invoice_url ?? null };
  } catch {
    return { id: null, url: null };
  }
}

/** Sends the request to this very gateway without cookies, because the API knows none. */
async function send({ method, address, body }: TrialRequest): Promise<Tried> {
  const startedAtMs = performance.now();
  const answer = await fetch(address, {
    method,
    body,
    headers: trialHeaders(visitor(), body !== null),
    credentials: 'omit',
    cache: 'no-store',
  });
  const text = await answer.text();
  const { id, url } = invoiceIn(text);
  if (id) updateVisitor({ invoiceId: id });
  return {
    status: answer.status,
    durationMs: Math.round(performance.now() - startedAtMs),
    requestId: answer.headers.get('x-request-id') ?? '',
    text: pretty(text),
    pageUrl: url,
  };
}

function Code({ name, text }: { name: string; text: string }) {
  return (
    <figure className="docs-code">
      <figcaption>
        <span>{name}</span>
        <CopyCode text={text} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

const isGood = ({ status }: Tried) => status < 300;

function Summary({ tried }: { tried: Tried }) {
  return (
    <>
      <strong className={isGood(tried) ? 'text-positive' : 'text-negative'}>{tried.status}</strong>{' '}
      <span className="text-muted">
        in {tried.durationMs} ms · X-Request-Id{' '}
        <span className="[overflow-wrap:anywhere]">{tried.requestId}</span>
      </span>
    </>
  );
}

function Answer({ tried }: { tried: Tried }) {
  const locale = useLocale();
  return (
    <div className="grid gap-3">
      <Code name="Answer" text={tried.text} />
      {!isGood(tried) && (
        <p>
          <a className="link" href={docsAddress(errorsAddress(tried.status), locale)}>
            What it means, and its cure
          </a>
        </p>
      )}
      {tried.pageUrl && (
        <p>
          <a className="link" href={tried.pageUrl} target="_blank" rel="noopener noreferrer">
            Open the payment page
          </a>
        </p>
      )}
    </div>
  );
}

/**
 * The text typed into a field before the script loaded, or null. It is read before React takes
 * over, which overwrites a `textarea`.
 */
function useTypedEarly(id: string, preset: string): string | null {
  const [early] = useState(() => {
    const field = globalThis.document?.querySelector<HTMLTextAreaElement>(`#${CSS.escape(id)}`);
    return field && field.value !== preset ? field.value : null;
  });
  return early;
}

/** The reader's input, or values that work until then. */
function useTrial(id: string, method: 'GET' | 'POST', path: string, example: object | null) {
  const { invoiceId, merchantId, token } = useSyncExternalStore(
    subscribeToVisitor,
    visitor,
    visitor,
  );
  const [typed, setTyped] = useState<string | null>(null);
  const [seed, setSeed] = useState(() => ({ nowMs: 0, random: '1042' }));
  const hostname = seed.nowMs === 0 ? '' : location.hostname;
  const preset =
    method === 'GET' ? invoiceId : freshBody(example ?? {}, { ...seed, invoiceId, hostname });
  const early = useTypedEarly(id, preset);
  const text = typed ?? preset;
  const seedAnew = useCallback(() => {
    setSeed({ nowMs: Date.now(), random: randomUuid().slice(0, 13) });
  }, []);
  // The server's page is the same for everybody, so new values are made here.
  useEffect(seedAnew, [seedAnew]);
  useEffect(() => setTyped(early), [early]);
  const request: TrialRequest =
    method === 'GET'
      ? { method, address: `${BASE}${path}?invoice_id=${encodeURIComponent(text)}`, body: null }
      : { method, address: `${BASE}${path}`, body: text };
  return {
    text,
    setText: setTyped,
    renew: () => {
      setTyped(null);
      seedAnew();
    },
    request,
    merchantId,
    isReady: Boolean(token && merchantId),
  };
}

type Props = {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  example: object | null;
  origin: string;
};

/** Tries an operation in the sandbox and shows the request and the answer. */
export function TryIt({ id: operation, method, path, example, origin }: Props) {
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const id = useId();
  const { text, setText, renew, request, merchantId, isReady } = useTrial(
    id,
    method,
    path,
    example,
  );
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (tried) said.current?.scrollIntoView({ block: 'nearest' });
  }, [tried]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setTried(null);
    const found = credentialsFault(visitor());
    setFault(found);
    if (found) return;
    setSending(true);
    void send(request)
      .then(setTried, () => setFault('The gateway could not be reached.'))
      .finally(() => setSending(false));
  };
  return (
    <details className="docs-try needs-script">
      <summary>Try it in the sandbox</summary>
      <ScriptForm onSubmit={submit} aria-label={`Try ${operation}`} className="grid gap-3">
        <label htmlFor={id} className="font-semibold text-sm">
          {method === 'GET' ? 'invoice_id' : 'Body'}
        </label>
        {method === 'GET' ? (
          <input
            id={id}
            className="field-input"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <textarea
            id={id}
            className="docs-body"
            rows={text.split('\n').length}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          {/* `disabled` would take the focus away while it sends. */}
          <button
            type="submit"
            className="button button-primary"
            disabled={!isReady}
            aria-disabled={isSending}
          >
            {isSending ? 'Sending…' : 'Send'}
          </button>
          {method === 'POST' && (
            <button type="button" className="button button-plain" onClick={renew}>
              New values
            </button>
          )}
          {!isReady && (
            <p className="text-muted text-sm">
              Needs your{' '}
              <a className="link" href="#credentials">
                merchant id and token
              </a>
              .
            </p>
          )}
        </div>
        {fault && (
          <p role="alert" className="text-negative text-sm">
            {fault}
          </p>
        )}
      </ScriptForm>
      {/* The element precedes its text, which would otherwise not be read aloud. */}
      <p ref={said} role="status" className={tried ? 'text-sm' : 'sr-only'}>
        {tried && <Summary tried={tried} />}
      </p>
      {tried && <Answer tried={tried} />}
      <Code name="The same with curl" text={curlCommand(origin, request, merchantId)} />
    </details>
  );
}
