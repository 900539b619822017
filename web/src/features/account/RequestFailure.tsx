import type { Problem } from '@/api/client';
import { config } from '@/api/config';
import { withWait } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';

/** An account request that could not be taken, and who helps. */
export function RequestFailure({ problem, attempt }: { problem: Problem; attempt: number }) {
  const { supportEmail } = config();
  return (
    <Banner
      kind="error"
      focusOn={attempt}
      title={withWait('There was an error processing your request. Please try again.', problem)}
    >
      <p>
        If the problem persists, please{' '}
        {supportEmail ? (
          <>
            email <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </>
        ) : (
          'contact support'
        )}
        .
      </p>
    </Banner>
  );
}
