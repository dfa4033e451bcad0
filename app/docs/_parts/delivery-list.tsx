import { DELIVERY_FAILURES } from '../_content/delivery-failures.ts';
import { InlineText } from '../_markdown/inline.tsx';

/** Why an attempt did not count, as the dashboard says it, and what helps. */
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
