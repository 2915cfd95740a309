#define DAMPING 0.5f
#define TURN 6.2831853f
enum { NO_FREQUENCY = 1 };
