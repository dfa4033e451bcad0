import { translatorOf } from '#server/i18n/translator.ts';
import { deliveryFailures } from '../_content/delivery-failures.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';
import { parseDocument, plainText } from '../_markdown/document.ts';
import { InlineText } from '../_markdown/inline.tsx';
import { withLinks } from '../_markdown/with-links.ts';

/** The list's words for the search. */
export function deliveryWords(language: DocsLanguage): string {
  const texts = deliveryFailures(language)
    .map(({ reason, cure }) => `${reason}\n\n${cure}`)
    .join('\n\n');
  return plainText(parseDocument(texts).blocks.map(({ token }) => token));
}

/** The reasons why an attempt failed, in the dashboard's words, and their cures. */
export function DeliveryList({ language }: { language: DocsLanguage }) {
  const t = translatorOf(language, 'docs.retries');
  return (
    <div className="docs-table docs-table-stack">
      <table>
        <thead>
          <tr>
            <th scope="col" className="w-2/5">
              {t('reason')}
            </th>
            <th scope="col">{t('cure')}</th>
          </tr>
        </thead>
        <tbody>
          {deliveryFailures(language).map(({ reason, cure }) => (
            <tr key={reason}>
              <td>
                <InlineText text={reason} />
              </td>
              <td>
                <InlineText text={withLinks(cure, language)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
