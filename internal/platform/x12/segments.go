package x12

import "strings"

// knownSegments lists the segments of the standard's transaction sets, in all implementation guides
// of versions 4010 and 5010.
var knownSegments = map[string]map[string]bool{
	"837": parseNames(`ST BHT REF NM1 N2 N3 N4 PER HL PRV SBR PAT DTP CUR DMG CLM CL1 DN1 DN2 PWK CN1 DSB UR AMT K3 NTE
		CR1 CR2 CR3 CR4 CR5 CR6 CR7 CR8 CRC HI QTY HCP HSD CAS OI MIA MOA LX SV1 SV2 SV3 SV4 SV5 SV6 SV7 TOO MEA PS1 IMM
		LIN CTP SVD LQ FRM SE`),
	"835": parseNames(`ST BPR NTE TRN CUR REF DTM N1 N2 N3 N4 PER RDM LX TS2 TS3 CLP CAS NM1 MIA MOA AMT QTY SVC LQ PLB SE`),
}

// HasSegment reports whether the transaction set can have a segment. Unknown sets can have any.
func (s Set) HasSegment(id string) bool {
	names, known := knownSegments[s.Code]
	return !known || names[id]
}

func parseNames(names string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(names) {
		all[name] = true
	}
	return all
}
