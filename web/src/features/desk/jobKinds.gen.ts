// Made from internal/platform/jobs/kinds.go by make gen. Don't edit.

/** Labels of the kinds of background jobs. */
export const jobKinds: Record<string, string> = {
  'access-reviews': 'Start and remind of access reviews',
  'case-emails': 'Send emails about questions',
  'claims-names': 'Update names of claimants after an upgrade',
  'count-reasons': 'Count reason codes',
  deadlines: 'Recalculate deadlines',
  digest: 'Send bill updates',
  'fee-schedule': 'Create a fee schedule',
  'feed-file': 'Import a file',
  'feed-folder': 'Clean up the watched folder',
  'feed-late': 'Check for late files',
  'feed-quality': 'Summarize data quality',
  'feed-scan': 'Check for new files',
  'given-up': 'Report failed jobs and emails',
  'ledger-carry-over': 'Update bills after an upgrade',
  'look-up': 'Run a bulk lookup',
  'lost-files': 'Delete files without an owner',
  mail: 'Send an email',
  'open-bills-export': 'Export open bills',
  'remittance-export': 'Export remittances',
  'roster-directory': 'Update the directory from a roster',
  'roster-hand-over': 'Deliver a roster to the network',
  'send-notifications': 'Send notifications',
  tidy: 'Clean up expired data',
  'users-names': 'Update names of users after an upgrade',
};
