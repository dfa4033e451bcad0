import type { Metadata } from 'next';
import Link from 'next/link';
import { settings } from '#server/settings/settings.ts';
import { type DocsLanguage, docsAddress } from '../_content/docs-language.ts';
import { API_PAGE, apiPage } from '../_content/pages.ts';
import { EnglishOnly } from '../_parts/article.tsx';
import { docsLanguage } from '../_parts/docs-language.ts';
import { sameInLanguages } from '../_parts/same-in-languages.ts';
import { Credentials } from './credentials.tsx';
import { AnswersEverywhere, OperationView } from './operation-view.tsx';
import { answersEverywhere, operations } from './operations.ts';

export async function generateMetadata(): Promise<Metadata> {
  const { title, summary: description } = apiPage(await docsLanguage());
  return { title, description, alternates: sameInLanguages('/docs/api', 'en', ['en']) };
}

const HEADERS = [
  'Authorization: Bearer <token>',
  'X-Merchant: <merchant id>',
  'Content-Type: application/json',
];

function Introduction({ origin, language }: { origin: string; language: DocsLanguage }) {
  return (
    <div className="docs-prose">
      <p>
        Every request goes to a base address and carries a token of the same environment and the id
        of the merchant whose token it is. Bodies are JSON, amounts are integers in minor units,
        timestamps are UTC milliseconds.
      </p>
      <div className="docs-table">
        <table>
          <tbody>
            <tr>
              <th scope="row">Sandbox</th>
              <td>
                <code className="docs-inline-code">{origin}/api/sandbox</code>
              </td>
            </tr>
            <tr>
              <th scope="row">Production</th>
              <td>
                <code className="docs-inline-code">{origin}/api/production</code>
              </td>
            </tr>
            <tr>
              <th scope="row">Headers</th>
              <td>
                {HEADERS.map((header) => (
                  <span key={header} className="block">
                    <code className="docs-inline-code">{header}</code>
                  </span>
                ))}
              </td>
            </tr>
            <tr>
              <th scope="row">Document</th>
              <td>
                <a className="link" href="/api/openapi.json">
                  OpenAPI 3.1
                </a>
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <p>
        All error messages with their cures stand under{' '}
        <Link className="link" href={docsAddress('/docs/errors', language)} prefetch={false}>
          Errors
        </Link>
        .
      </p>
    </div>
  );
}

/** The API from the gateway's own OpenAPI document, with a trial of each operation. */
export default async function ApiReferencePage() {
  const language = await docsLanguage();
  const origin = settings().publicUrl;
  const all = operations(origin);
  const everywhere = answersEverywhere(all);
  return (
    <div className="@container px-4 md:px-8">
      <main
        id="main"
        lang="en"
        tabIndex={-1}
        className="mx-auto max-w-6xl py-8 outline-none md:py-12"
      >
        {language !== 'en' && <EnglishOnly language={language} />}
        <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">{API_PAGE.title}</h1>
        <p className="mt-3 max-w-3xl text-lg text-muted text-pretty">{API_PAGE.summary}</p>
        <div className="max-w-3xl">
          <Introduction origin={origin} language={language} />
          <section
            id="credentials"
            aria-labelledby="credentials-title"
            className="docs-credentials needs-script"
          >
            <h2 id="credentials-title" className="font-semibold">
              Try it
            </h2>
            <p className="mt-1 mb-4 text-[0.9375rem] text-muted">
              Enter sandbox credentials to send the requests below from this page to this gateway.
              They are kept in the memory of this page alone and are gone when you close or reload
              it.
            </p>
            <Credentials />
          </section>
        </div>
        {all.map((operation) => (
          <OperationView key={operation.id} {...{ operation, everywhere, origin }} />
        ))}
        <AnswersEverywhere responses={everywhere} />
      </main>
    </div>
  );
}
