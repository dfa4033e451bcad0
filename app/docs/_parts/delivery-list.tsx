import { DELIVERY_FAILURES } from '../_content/delivery-failures.ts';
import { parseDocument, plainText } from '../_markdown/document.ts';
import { InlineText } from '../_markdown/inline.tsx';

/** The list's words for the search. */
export function deliveryWords(): string {
  const texts = DELIVERY_FAILURES.map(({ reason, cure }) => `${reason}\n\n${cure}`).join('\n\n');
  return plainText(parseDocument(texts).blocks.map(({ token }) => token));
}

/** The reasons why an attempt failed, in the dashboard's words, and their cures. */
export function DeliveryList() {
  return (
    <div className="docs-table docs-table-stack">
      <table>
        <thead>
          <tr>
            <th scope="col" className="w-2/5">
              what the dashboard says
            </th>
            <th scope="col">what helps</th>
          </tr>
        </thead>
        <tbody>
          {DELIVERY_FAILURES.map(({ reason, cure }) => (
            <tr key={reason}>
              <td>
                <InlineText text={reason} />
              </td>
              <td>
                <InlineText text={cure} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
