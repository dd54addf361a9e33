"""Table geometry, free of any rule system: integer hundredths of a unit, exact predicates, stated rounding.

The modules and their questions (rules, kinds of terrain and protection belong to the rule systems):

vectors     points, segments, boxes; how far, which side, do they meet          within, cross, towards, segments_meet
hulls       convex hulls of centres, segments near them                         hull_of, segment_near_hull
arcs        quarters and arcs around a heading                                  quarters, in_arc
outlines    simple polygons: in or out, through, near, nearest point            contains, inside, nearest_on_edges
features    areas, barriers, the table prepared; what holds a point             Area, Barrier, scenery -> Scenery
sections    long areas cut into pieces, and which pieces hold figures           sections, edges_held
contact     round bases: gap, touching, overlapping, the point of contact       Base, gap, touches, contact_point
footprints  round or rectangular bases: near, touching, overlapping, eyes       BoxBase, are_touching, eyes_of
templates   discs, boxes, strips and cones: what they touch                     Disc, box, strip, cone, touched
lines       who sees whom, past groups and features, and what is in the way     formation, SightLines(...).first
corridor    what lies near the strip between two groups                         Corridor(...).comes_near
moves       how far a straight move comes, what stops it, is it legal           Way, clip_move, straight_move_fault
walled      what is certainly behind a wall, in one look                        is_walled_off
departures  the same measured from the edges of a feature that is left          clip_departure, departure_origin
drives      how far a rectangular base drives ahead, and where it may stand     Surroundings, farthest, may_stand
steering    ways with one turn, to a place or up to what is touched             steered, turns, first_touch
figures     figures around their lead: the nearest free places, what is wrong   Room, place_around, check_placement
coherency   chains of members around their lead: who is loose, where they fit   gather, strayed, unlinked
gaps        distances between bases and outlines, for ranges                    shapes_gap, shape_gap
stretches   the parts of a straight way that lie inside areas                   stretches, length_inside
paths       lengths and places along bent paths, equal shares for many          path_length, path_until, all_at_share
ways        what bent ways cost by ground, who follows a lead, nearest cover    ground_cost, following, nearest_cover
visible     the ground that an eye sees, as an outline                         visible_ground
first_seen  where a mover first comes into view                                 first_seen
cuts        foliage by length, smoke, low ground seen over from a hill          Foliage, Smoke, Low
cover       the features that shelter one figure from another                   shelters
stands      places for one footprint of either shape: faults, the nearest       stand_fault, nearest_stand
lattice     the nearest place that a predicate accepts (retreats)               nearest_place
reach       the outline of where a move may end, for the picture                reach_region, door_region

Prepare once and keep: `scenery(...)` while the features stay, `formation(...)` until a figure of that group moves or
falls. `SightLines` and `Room` are made for each question.
"""
